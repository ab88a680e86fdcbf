import { JsonPathError } from "@yagate/lib/artifacts/json-path/json-path-error";
import { parseJsonPath } from "@yagate/lib/artifacts/json-path/parse-json-path";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { canonicalJson, type FieldError, type JsonObject, type JsonValue } from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import { createTemplateReader, scopeOf } from "@yagate/tool-definitions/placeholders/template-reader";
import { checkArgumentTypes } from "@yagate/tool-definitions/schema-fit/check-argument-types";
import { checkHandedOn, refuseSecrets } from "../tools/checks/check-composed-tools.ts";

/** A tool that serves an intent. */
interface TargetSchema {
  readonly name: string;
  readonly parameters: JsonObject;
}

/**
 * Finds out why arguments of an intent cannot become arguments of its target. Without `args`, both must have the same
 * schema, apart from descriptions.
 */
export function schemaProblems(
  { args, result }: Pick<CapabilityEntry, "args" | "result">,
  intent: JsonObject,
  target: TargetSchema,
): readonly FieldError[] {
  const problems = args === null ? equalityProblems(intent, target) : templateProblems(args, intent, target);
  return [...problems, ...(result === null ? [] : pathProblems(result))];
}

function equalityProblems(intent: JsonObject, { name, parameters }: TargetSchema): readonly FieldError[] {
  if (canonicalJson(withoutTexts(intent)) === canonicalJson(withoutTexts(parameters))) return [];
  const message = `expected args, because the parameters of ${name} differ from those of the intent: write which argument each of its parameters gets, such as { "q": "\${query}" }`;
  return [{ path: "args", code: "SCHEMA_MISMATCH", message }];
}

const TEXTS = new Set(["$schema", "title", "description", "examples", "$comment"]);

/** Removes what says nothing about valid values. Names of properties are not keywords. */
function withoutTexts(schema: JsonValue, isSchema = true): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => withoutTexts(item, isSchema));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !isSchema || !TEXTS.has(name))
      .map(([name, value]) => {
        if (isSchema && name === "required" && Array.isArray(value)) return [name, value.toSorted()];
        return [name, withoutTexts(value, !(isSchema && name === "properties"))];
      }),
  );
}

function templateProblems(args: JsonObject, intent: JsonObject, target: TargetSchema): readonly FieldError[] {
  const reader = createTemplateReader(scopeOf(intent));
  const templates = reader.members(args, "args");
  checkArgumentTypes({ args: templates, ...target }, intent, "args", reader);
  checkHandedOn(args, "args", target.parameters, reader);
  refuseSecrets(reader);
  return reader.problems
    .filter(({ severity }) => severity === "error")
    .map(({ path, code, message }) => ({
      ...{ path, code },
      // The reader's words are those of a tool; here, placeholders name parameters of the intent.
      message: code === "UNKNOWN_PLACEHOLDER" ? message.replace("the tool's", "the intent's") : message,
    }));
}

function pathProblems(result: string): readonly FieldError[] {
  try {
    parseJsonPath(result);
    return [];
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return [{ path: "result", code: "INVALID_PATH", message: error.message }];
  }
}
