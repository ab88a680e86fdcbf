import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { FORMATS } from "@yagate/lib/json-schema/formats/parameter-formats";
import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";
import { SchemaProblem } from "@yagate/lib/json-schema/schema-problem";
import { compileCheckedSchema } from "@yagate/lib/json-schema/schema-validator";
import type { ViolationList } from "@yagate/lib/json-schema/violation";
import { isApplicator, listSubschemas, type Subschema } from "./subschemas.ts";

/** The result of checking a value against a schema. `too much work`: the step limit was reached. */
export type Verdict = "valid" | "too much work" | ViolationList;

/** Checks a value against a compiled schema. It neither changes nor keeps the value. */
export type CheckValue = (value: unknown) => Verdict;

/**
 * Compiles a schema in which `checkParametersSchema` found no issue.
 *
 * A small schema can take hours to check a small value: alternatives with references back to the schema double the work
 * at each level, and a pattern is matched against every item. The limit counts steps instead of time, so that the
 * verdict is deterministic.
 *
 * @throws Error if the schema can't be compiled.
 */
export function compileSchema(schema: JsonObject): CheckValue {
  const check = compileCheckedSchema(
    {
      schema: toPlainSchema(schema),
      draft: "2020-12",
      documents: {},
      assertFormats: true,
      formats: FORMATS,
      quotesValues: false,
    },
    { maxViolations: VALUE_LIMITS.maxViolations, maxSteps: VALUE_LIMITS.maxSteps },
  );
  return (value) => {
    try {
      const violations = check(value);
      return violations.count === 0 ? "valid" : violations;
    } catch (error) {
      // A chain of thousands of references overflows the stack before it reaches the step limit.
      if (error instanceof RangeError || (error instanceof SchemaProblem && error.code === "TOO_COMPLEX")) {
        return "too much work";
      }
      throw error;
    }
  };
}

/** Keywords that refer to other documents or drafts. */
const REMOVED_KEYWORDS: ReadonlySet<string> = new Set([
  "$id",
  "$schema",
  "$vocabulary",
  "$dynamicRef",
  "$dynamicAnchor",
]);

/**
 * Returns a copy of a checked schema as JSON Schema 2020-12. The draft that it declares makes no difference, because a
 * checked schema means the same in every allowed draft. Pointers into the schema stay valid.
 */
function toPlainSchema(schema: JsonObject): JsonObject {
  const subschemas = listSubschemas(schema);
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isApplicator(keyword)) copy[keyword] = copyContainer(keyword, value, subschemas);
    else if (!REMOVED_KEYWORDS.has(keyword)) copy[keyword] = value;
  }
  // This is how OpenAPI allows null.
  if (schema["nullable"] === true && Object.hasOwn(schema, "type")) {
    copy["type"] = [...new Set([schema["type"], "null"].flat())];
  }
  return copy;
}

function copySchema(schema: unknown): unknown {
  return isJsonObject(schema) ? toPlainSchema(schema) : schema;
}

function copyContainer(keyword: string, value: unknown, subschemas: readonly Subschema[]): unknown {
  const inside = subschemas.filter((one) => one.keyword === keyword);
  const only = inside.find(({ key }) => key === undefined);
  if (only !== undefined) return copySchema(only.schema);
  if (Array.isArray(value)) return inside.map(({ schema }) => copySchema(schema));
  const copies = inside.map(({ key, schema }) => [String(key), copySchema(schema)]);
  return { ...(isJsonObject(value) ? value : {}), ...Object.fromEntries(copies) };
}
