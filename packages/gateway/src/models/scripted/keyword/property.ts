import { readWords } from "./words.ts";

/** Part of a tenant's JSON Schema, of which nothing is sure. */
export type Schema = Readonly<Record<string, unknown>>;

/** One parameter of a tool, or a field inside one. */
export interface Property {
  readonly name: string;
  /** Stems of the words of its name, in order: `order`, `id` of `orderId`. */
  readonly words: readonly string[];
  readonly description: string;
  readonly schema: Schema;
  readonly type: PropertyType;
  readonly isRequired: boolean;
  /** Stems of the words of the tool's name. */
  readonly toolWords: readonly string[];
}

export type PropertyType = "string" | "number" | "integer" | "boolean" | "array" | "object";
const TYPES: readonly PropertyType[] = ["string", "number", "integer", "boolean", "array", "object"];

const MAX_REFERENCES = 16;
/** Of one object; more than a question of this length could fill. */
const MAX_PROPERTIES = 50;

/** Reads the fields of an object schema. */
export function readProperties(
  object: Schema,
  tool: { readonly root: Schema; readonly words: readonly string[] },
): readonly Property[] {
  const required = requiredNames(object);
  return Object.entries(asSchema(object["properties"]))
    .filter(([name]) => name !== "__proto__")
    .slice(0, MAX_PROPERTIES)
    .map(([name, value]) => readProperty(name, asSchema(value), { isRequired: required.includes(name), ...tool }));
}

/** Names of the fields that an object schema requires: its first one where any will do but none may not. */
export function requiredNames({ required, minProperties, properties }: Schema): readonly string[] {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const isAnyEnough = names.length === 0 && typeof minProperties === "number" && minProperties > 0;
  return isAnyEnough ? Object.keys(asSchema(properties)).slice(0, 1) : names;
}

/** Reads one field, with its references followed and the first possible form of it chosen. */
export function readProperty(
  name: string,
  raw: Schema,
  context: { readonly isRequired: boolean; readonly root: Schema; readonly words: readonly string[] },
): Property {
  const schema = resolve(raw, context.root);
  return {
    name,
    words: readWords(name).map((word) => word.stem),
    description: typeof schema["description"] === "string" ? schema["description"] : "",
    schema,
    type: typeOf(schema),
    isRequired: context.isRequired,
    toolWords: context.words,
  };
}

/** A schema, or an empty one for whatever is none. */
export function asSchema(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function resolve(schema: Schema, root: Schema, references = 0): Schema {
  if (references > MAX_REFERENCES) return {};
  const reference = schema["$ref"];
  if (typeof reference === "string")
    return resolve({ ...pointTo(root, reference), ...omitReference(schema) }, root, references + 1);
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(alternatives)) return schema;
  const chosen = alternatives.map(asSchema).find((alternative) => alternative["type"] !== "null");
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  return chosen === undefined ? rest : resolve({ ...chosen, ...rest }, root, references + 1);
}

function omitReference({ $ref: _ref, ...rest }: Schema): Schema {
  return rest;
}

function pointTo(root: Schema, reference: string): Schema {
  if (!reference.startsWith("#/")) return {};
  const keys = reference
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let target: unknown = root;
  for (const key of keys) target = Object.hasOwn(asSchema(target), key) ? asSchema(target)[key] : undefined;
  return asSchema(target);
}

function typeOf(schema: Schema): PropertyType {
  const declared = schema["type"];
  const names: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
  const type = TYPES.find((known) => names.includes(known));
  if (type !== undefined) return type;
  if (isSchema(schema["properties"])) return "object";
  return schema["items"] === undefined ? "string" : "array";
}
