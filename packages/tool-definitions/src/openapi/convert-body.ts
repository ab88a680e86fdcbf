import { FORBIDDEN_KEYS } from "@yagate/lib/json/forbidden-keys";
import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";
import type { RestParameter } from "@yagate/protocol";
import { toRestParameter } from "./convert-parameter.ts";
import { type ConversionContext, MAX_WIRE_NAME } from "./convert-parameters.ts";
import type { Located } from "./document-references.ts";
import { SkipOperation } from "./skip-operation.ts";

/** The converted body of an operation. */
export interface ConvertedBody {
  readonly parameters: readonly RestParameter[];
  readonly format: "json" | "form";
  /**
   * Whether every call must include the body. If false, a call may omit the entire body although some of its fields are
   * required.
   */
  readonly isRequired: boolean;
}

const FORM = "application/x-www-form-urlencoded";
const PLAIN_JSON = /^application\/json\b/i;
const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json|text\/json)\b/i;
/** Matches media ranges that include JSON. */
const JSON_RANGE = /^(?:\*\/\*|application\/\*(?:\+json)?)(?:\s*;|$)/i;
const MAX_ALTERNATIVE_DEPTH = 5;
/** Keywords that don't describe the content of a value. */
const SILENT: ReadonlySet<string> = new Set(["title", "description", "example", "examples", "nullable", "deprecated"]);

/** The fields of an object, collected from all parts of its schema. */
interface Fields {
  readonly properties: Map<string, Located>;
  readonly required: Set<string>;
}

/**
 * Converts the fields of an operation's body to parameters.
 *
 * @param context - the context of the conversion, with the operation's method.
 * @returns undefined for an operation without a body, for an undescribed body, and for the optional body of a GET.
 * @throws SkipOperation for a body that can't be sent, because the operation would mean something else without it.
 */
export function convertBody(
  body: unknown,
  path: string,
  context: ConversionContext & { readonly method: string },
): ConvertedBody | undefined {
  if (body === undefined) return undefined;
  const { value, path: place } = context.references.resolve(body, path);
  const isRequired = value["required"] === true;
  const { type, schema, schemaPath } = mediaOf(value, place, context);
  const isOfNoType = !isJsonObject(value["content"]) || Object.keys(value["content"]).length === 0;
  if (!isRequired && (type !== undefined || isOfNoType) && saysNothing(schema)) return undefined;
  if (context.method === "GET") {
    if (isRequired) throw new SkipOperation(place, "expected no required body: a GET request can't have one");
    context.note("the body is omitted: a GET request has none");
    return undefined;
  }
  if (type === undefined) throw unsupportedType(value, place);
  return convert(schema, schemaPath, { type, isRequired, context });
}

interface Media {
  /** The media type to send; undefined if none can be sent. */
  readonly type: string | undefined;
  readonly schema: unknown;
  readonly schemaPath: string;
}

function mediaOf(body: JsonObject, path: string, { references }: ConversionContext): Media {
  const content = isJsonObject(body["content"]) ? body["content"] : {};
  const types = Object.keys(content);
  const sendable =
    types.find((one) => PLAIN_JSON.test(one)) ??
    types.find((one) => JSON_TYPE.test(one)) ??
    types.find((one) => JSON_RANGE.test(one)) ??
    types.find((one) => one.toLowerCase().startsWith(FORM));
  const type = sendable ?? types[0];
  if (type === undefined) return { type, schema: undefined, schemaPath: path };
  const at = appendPointer(appendPointer(path, "content"), type);
  const media = isJsonObject(content[type]) ? references.resolve(content[type], at) : undefined;
  return { type: sendable, schema: media?.value["schema"], schemaPath: appendPointer(media?.path ?? at, "schema") };
}

function unsupportedType({ content }: JsonObject, path: string): SkipOperation {
  const types = isJsonObject(content) ? Object.keys(content) : [];
  const [first = ""] = types;
  const listed = types.slice(0, 3).join(", ");
  const not = first.toLowerCase().startsWith("multipart/") ? `${listed}, which contains files` : listed;
  return new SkipOperation(
    appendPointer(path, "content"),
    `expected a JSON or form-encoded body${not === "" ? "" : `, not ${not}`}`,
  );
}

/** Checks whether a schema describes nothing. Some documents give every operation such a body. */
function saysNothing(schema: unknown): boolean {
  if (!isJsonObject(schema)) return true;
  return Object.entries(schema).every(([keyword, value]) => {
    if (SILENT.has(keyword) || keyword.startsWith("x-")) return true;
    if (keyword === "type") return value === "object";
    if (keyword === "additionalProperties") return value === false;
    return keyword === "properties" && isJsonObject(value) && Object.keys(value).length === 0;
  });
}

interface BodyFacts {
  /** Media type. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly context: ConversionContext;
}

function convert(schema: unknown, at: string, { type, isRequired, context }: BodyFacts): ConvertedBody {
  const { properties, required } = collectFields(schema ?? {}, at, context, 0);
  for (const name of properties.keys()) {
    if (name !== "" && name.length <= MAX_WIRE_NAME && !FORBIDDEN_KEYS.has(name)) continue;
    const shown = name === "" ? "a field without a name" : name.slice(0, MAX_WIRE_NAME);
    if (required.has(name)) throw new SkipOperation(at, `expected no required field named ${shown}`);
    properties.delete(name);
    context.note(`${shown} is omitted: this name is not allowed`);
  }
  if (properties.size === 0) throw noFields(schema, at, context);
  const fields = [...properties].map(([wireName, field]) =>
    toRestParameter(
      { wireName, in: "body", isRequired: required.has(wireName) },
      context.schemas.convert(field.value, field.path),
      context.names,
      context.note,
    ),
  );
  const isForm = type.toLowerCase().startsWith(FORM);
  // A form can't contain null.
  const parameters = isForm ? fields.map(({ nullable: _, ...rest }) => rest) : fields;
  return {
    parameters: [...parameters, ...typeHeader(type, context)],
    format: isForm ? "form" : "json",
    // If no field is required, an empty body means the same as no body.
    isRequired: isRequired || fields.every((field) => field.required !== true),
  };
}

function noFields(schema: unknown, path: string, { references }: ConversionContext): SkipOperation {
  const { value } = references.resolve(schema ?? {}, path);
  const type = [value["type"]].flat().find((one) => one !== "null");
  const isList = type === "array" || value["items"] !== undefined;
  const kind = isList ? "a list" : typeof type === "string" && type !== "object" ? `a ${type}` : undefined;
  const expected = "expected a body that is an object with named fields";
  return new SkipOperation(path, kind === undefined ? expected : `${expected}, not ${kind}`);
}

function typeHeader(type: string, { names }: ConversionContext): readonly RestParameter[] {
  if (PLAIN_JSON.test(type) || !JSON_TYPE.test(type)) return [];
  const facts = { wireName: "Content-Type", in: "header", isRequired: false } as const;
  return [{ ...toRestParameter(facts, { type: "string" }, names, () => {}), value: type }];
}

function collectFields(schema: unknown, path: string, context: ConversionContext, depth: number): Fields {
  const properties = new Map<string, Located>();
  const required = new Set<string>();
  const { value, path: place } = context.references.resolve(schema, path);
  if (depth > MAX_ALTERNATIVE_DEPTH) return { properties, required };
  const { allOf, oneOf, anyOf } = value;
  for (const [index, part] of listOf(allOf).entries()) {
    const fields = collectFields(part, appendPointer(appendPointer(place, "allOf"), index), context, depth + 1);
    for (const [name, field] of fields.properties) properties.set(name, field);
    for (const name of fields.required) required.add(name);
  }
  if (isJsonObject(value["properties"])) {
    for (const [name, field] of Object.entries(value["properties"])) {
      const located = {
        value: isJsonObject(field) ? field : {},
        path: appendPointer(appendPointer(place, "properties"), name),
      };
      properties.set(name, located);
    }
  }
  const [keyword, alternatives] = listOf(oneOf).length > 0 ? ["oneOf", listOf(oneOf)] : ["anyOf", listOf(anyOf)];
  const forms = alternatives.map((part, index) =>
    collectFields(part, appendPointer(appendPointer(place, keyword), index), context, depth + 1),
  );
  for (const form of forms)
    for (const [name, field] of form.properties) if (!properties.has(name)) properties.set(name, field);
  for (const name of forms[0]?.required ?? []) if (forms.every((form) => form.required.has(name))) required.add(name);
  if (forms.length > 1)
    context.note(`the body has ${forms.length} alternatives: the tool offers the fields of all of them`);
  for (const name of listOf(value["required"])) if (typeof name === "string") required.add(name);
  for (const [name, field] of properties) {
    if (context.references.resolve(field.value, field.path).value["readOnly"] === true) properties.delete(name);
  }
  return { properties, required };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
