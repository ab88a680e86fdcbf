import { isForbiddenHeader } from "@yagate/egress/internal";
import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import type { RestParameter } from "@yagate/protocol";
import { type ParameterFacts, toRestParameter } from "./convert-parameter.ts";
import type { SchemaConverter } from "./convert-schema.ts";
import type { DocumentReferences, Located } from "./document-references.ts";
import { SkipOperation } from "./skip-operation.ts";

/** The context in which the parts of one operation are converted. */
export interface ConversionContext {
  readonly references: DocumentReferences;
  readonly schemas: SchemaConverter;
  /** Names of the definition's parameters so far. */
  readonly names: Set<string>;
  readonly note: (text: string) => void;
}

/** Maximum length of a parameter's name in a request. */
export const MAX_WIRE_NAME = 200;

/** Headers that OpenAPI describes elsewhere. */
const DESCRIBED_ELSEWHERE: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/**
 * Converts the path, query and header parameters of an operation.
 *
 * @param lists - the parameters of the path, then those of the operation, which override them.
 * @param placeholders - the names in the path, in order.
 * @throws SkipOperation for a required parameter that can't be sent.
 */
export function convertParameters(
  lists: readonly { readonly value: unknown; readonly path: string }[],
  placeholders: readonly string[],
  context: ConversionContext,
): readonly RestParameter[] {
  const byPlace = new Map<string, Located>();
  for (const { value, path } of lists) {
    for (const [index, entry] of (Array.isArray(value) ? value : []).entries()) {
      const located = context.references.resolve(entry, appendPointer(path, index));
      byPlace.set(`${located.value["in"]} ${located.value["name"]}`, located);
    }
  }
  const parameters = [...byPlace.values()].flatMap((one) => convertOne(one, placeholders, context));
  const known = new Set(parameters.filter((one) => one.in === "path").map(({ name, wireName }) => wireName ?? name));
  for (const wireName of new Set(placeholders)) {
    if (known.has(wireName)) continue;
    context.note(`the document does not describe {${wireName}} in the path: the tool uses a string`);
    parameters.push(
      toRestParameter({ wireName, in: "path", isRequired: true }, { type: "string" }, context.names, context.note),
    );
  }
  return parameters;
}

function convertOne(
  { value, path }: Located,
  placeholders: readonly string[],
  context: ConversionContext,
): readonly RestParameter[] {
  const { name, in: place, required, description, deprecated } = value;
  if (typeof name !== "string" || name === "") throw new SkipOperation(path, "expected a parameter with a name");
  const isRequired = required === true || place === "path";
  const leaveOut = (why: string): readonly RestParameter[] => {
    if (isRequired && place !== "header") throw new SkipOperation(path, `${name} is required, but ${why}`);
    context.note(`${name} is omitted: ${why}`);
    return [];
  };
  if (FORBIDDEN_KEYS.has(name)) return leaveOut("this name is not allowed");
  if (name.length > MAX_WIRE_NAME) return leaveOut(`its name has more than ${MAX_WIRE_NAME} characters`);
  if (place === "cookie") return leaveOut("cookies can't be sent");
  if (place !== "path" && place !== "query" && place !== "header") {
    throw new SkipOperation(path, "expected a parameter in the path, the query, a header or a cookie");
  }
  if (place === "header" && DESCRIBED_ELSEWHERE.has(name.toLowerCase())) return [];
  if (place === "header" && isForbiddenHeader(name.toLowerCase())) return leaveOut("the gateway sets this header");
  if (place === "path" && !placeholders.includes(name)) {
    context.note(`${name} is omitted: the path does not contain {${name}}`);
    return [];
  }
  if (deprecated === true && !isRequired) return leaveOut("it is deprecated");
  const text = typeof description === "string" ? description : undefined;
  const facts: ParameterFacts = { wireName: name, in: place, isRequired, description: text };
  const parameter = toRestParameter(facts, schemaOf(value, path, context), context.names, context.note);
  const problem = writingProblem(value, place, parameter);
  if (problem !== undefined) {
    context.names.delete(parameter.name);
    return leaveOut(problem);
  }
  if (place === "path" && parameter.type === "array") {
    context.note(`${name} is a list in the path: the tool uses a comma-separated string`);
    const { schema: _, ...rest } = parameter;
    return [{ ...rest, type: "string" }];
  }
  const isComma = place === "query" && parameter.type === "array" && value["explode"] === false;
  return [isComma ? { ...parameter, arrayFormat: "comma" } : parameter];
}

/** Returns the schema of a parameter. A parameter with `content` becomes a string of that media type. */
function schemaOf({ schema, content }: JsonObject, path: string, context: ConversionContext) {
  if (isJsonObject(content)) {
    const [type = "text"] = Object.keys(content);
    return { type: "string", description: `Text of media type ${type}.` };
  }
  return context.schemas.convert(schema ?? {}, appendPointer(path, "schema"));
}

function writingProblem({ style }: JsonObject, place: "path" | "query" | "header", { type }: RestParameter) {
  const usual = place === "query" ? "form" : "simple";
  if (type === "object") return "an object can't be sent there";
  if (style === undefined || style === usual) return undefined;
  // A delimiter matters only for lists.
  const isHarmless = type !== "array" && (style === "spaceDelimited" || style === "pipeDelimited");
  return isHarmless ? undefined : `the style ${String(style)} is not supported`;
}
