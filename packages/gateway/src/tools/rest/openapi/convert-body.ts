import type { RestParameter } from "@yagate/protocol";
import { FORBIDDEN_KEYS } from "../../arguments/forbidden-keys.ts";
import { isJsonObject, type JsonObject } from "../../arguments/json-object.ts";
import { appendPointer } from "../../arguments/json-pointer.ts";
import { toRestParameter } from "./convert-parameter.ts";
import type { ConversionContext } from "./convert-parameters.ts";
import type { Located } from "./document-references.ts";
import { SkipOperation } from "./skip-operation.ts";

/** What an operation's body comes to. */
export interface ConvertedBody {
  readonly parameters: readonly RestParameter[];
  readonly format: "json" | "form";
}

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;
const MAX_ALTERNATIVE_DEPTH = 5;

/** The named fields of an object, over all parts that it is described in. */
interface Fields {
  readonly properties: Map<string, Located>;
  readonly required: Set<string>;
}

/**
 * The fields of an operation's body as parameters.
 *
 * @returns undefined for no body, or for one that may be left out and can't be sent.
 * @throws SkipOperation for a required body that can't be sent.
 */
export function convertBody(body: unknown, path: string, context: ConversionContext): ConvertedBody | undefined {
  if (body === undefined) return undefined;
  const { value, path: place } = context.references.resolve(body, path);
  const isRequired = value["required"] === true;
  try {
    return convert(value, place, isRequired, context);
  } catch (error) {
    if (isRequired || !(error instanceof SkipOperation)) throw error;
    context.note(`the body is left out: ${error.message}`);
    return undefined;
  }
}

function convert(body: JsonObject, path: string, isRequired: boolean, context: ConversionContext): ConvertedBody {
  const content = isJsonObject(body["content"]) ? body["content"] : {};
  const types = Object.keys(content);
  const type =
    types.find((one) => /^application\/json\b/i.test(one)) ??
    types.find((one) => JSON_TYPE.test(one)) ??
    types.find((one) => one.toLowerCase().startsWith(FORM));
  const place = appendPointer(path, "content");
  if (type === undefined) {
    const listed = types.slice(0, 3).join(", ");
    throw new SkipOperation(
      place,
      `expected a body of JSON or a URL-encoded form${listed === "" ? "" : `, not ${listed}`}`,
    );
  }
  const media = content[type];
  const at = appendPointer(appendPointer(place, type), "schema");
  const { properties, required } = collectFields(isJsonObject(media) ? (media["schema"] ?? {}) : {}, at, context, 0);
  for (const name of properties.keys()) {
    if (!FORBIDDEN_KEYS.has(name)) continue;
    if (required.has(name)) throw new SkipOperation(at, `expected no required field named ${name}`);
    properties.delete(name);
    context.note(`${name} is left out: no field may have this name`);
  }
  if (properties.size === 0) throw new SkipOperation(at, "expected a body that is an object with named fields");
  const fields = [...properties].map(([wireName, field]) =>
    toRestParameter(
      { wireName, in: "body", isRequired: isRequired && required.has(wireName) },
      context.schemas.convert(field.value, field.path),
      context.names,
      context.note,
    ),
  );
  const isForm = !JSON_TYPE.test(type);
  // A form holds no null.
  const parameters = isForm ? fields.map(({ nullable: _, ...rest }) => rest) : fields;
  return { parameters: [...parameters, ...typeHeader(type, isForm, context)], format: isForm ? "form" : "json" };
}

function typeHeader(type: string, isForm: boolean, { names }: ConversionContext): readonly RestParameter[] {
  if (isForm || /^application\/json\b/i.test(type)) return [];
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
  if (forms.length > 1) context.note(`the body has ${forms.length} forms: the fields of all of them are offered`);
  for (const name of listOf(value["required"])) if (typeof name === "string") required.add(name);
  for (const [name, field] of properties) {
    if (context.references.resolve(field.value, field.path).value["readOnly"] === true) properties.delete(name);
  }
  return { properties, required };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
