import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { parsePointer } from "@yagate/lib/json/json-pointer";
import { canonicalJson } from "@yagate/protocol";

/** The types of JSON values; `fraction` is a number that is not whole. */
export type ValueType = "null" | "boolean" | "integer" | "fraction" | "string" | "array" | "object";

const ALL_TYPES: readonly ValueType[] = ["null", "boolean", "integer", "fraction", "string", "array", "object"];

/** A schema, with the document into which its references point. */
export interface SchemaNode {
  readonly schema: unknown;
  readonly document: SchemaDocument;
}

export interface SchemaDocument {
  readonly root: JsonObject;
  /** Number of schemas that may still be read. It is limited, because references can repeat the same schemas. */
  remaining: number;
}

/**
 * Maximum number of schemas to read: more than any authored schema contains, and few enough to read in milliseconds.
 */
const MAX_READ = 10_000;
/** Maximum nesting of references and combinations, because a schema that refers to itself has no end. */
const MAX_DEPTH = 64;

export function toSchemaNode(root: JsonObject): SchemaNode {
  return { schema: root, document: { root, remaining: MAX_READ } };
}

/** The parts of a schema by which two schemas are compared. */
export interface SchemaFacets {
  readonly types: ReadonlySet<ValueType>;
  /** The only allowed values, as JSON; undefined if the schema lists none. */
  readonly values: ReadonlySet<string> | undefined;
  /** The schema of all items of a list; undefined if there is none. */
  readonly items: SchemaNode | undefined;
  readonly members: SchemaMembers | undefined;
}

export interface SchemaMembers {
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** The schema of members that `properties` does not name; undefined if there is none. */
  readonly others: SchemaNode | undefined;
  /** Whether only members in `properties` are allowed. */
  readonly isClosed: boolean;
}

const ANYTHING: SchemaFacets = { types: new Set(ALL_TYPES), values: undefined, items: undefined, members: undefined };

/** Reads a schema with its references and combinations. Whatever the schema does not restrict counts as allowed. */
export function facetsOf({ schema, document }: SchemaNode, depth = 0): SchemaFacets {
  if (schema === false) return { ...ANYTHING, types: new Set() };
  if (!isJsonObject(schema) || document.remaining === 0 || depth > MAX_DEPTH) return ANYTHING;
  document.remaining -= 1;
  const at = (inner: unknown) => facetsOf({ schema: inner, document }, depth + 1);
  const parts: SchemaFacets[] = [ownFacets(schema, document)];
  const reference = schema["$ref"];
  if (typeof reference === "string") parts.push(at(targetOf(reference, document.root)));
  for (const branch of listOf(schema["allOf"])) parts.push(at(branch));
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema[keyword]);
    if (branches.length > 0) parts.push(either(branches.map(at)));
  }
  return parts.reduce(both);
}

function ownFacets(schema: JsonObject, document: SchemaDocument): SchemaFacets {
  const { type, enum: list, const: only, items, prefixItems, properties, required, additionalProperties } = schema;
  const listed = Object.hasOwn(schema, "const") ? [only] : Array.isArray(list) ? list : undefined;
  const declared = (Array.isArray(type) ? type : [type]).flatMap(typesNamed);
  const types = new Set(declared.length === 0 ? ALL_TYPES : declared);
  const values = listed?.filter((value) => types.has(typeOf(value)));
  const hasMembers = isJsonObject(properties) || Array.isArray(required) || additionalProperties !== undefined;
  return {
    types: values === undefined ? types : new Set(values.map(typeOf)),
    values: values && new Set(values.map(textOf)),
    items: items === undefined || prefixItems !== undefined ? undefined : { schema: items, document },
    members: hasMembers ? membersOf(schema, document) : undefined,
  };
}

function membersOf(
  { properties, patternProperties, required, additionalProperties }: JsonObject,
  document: SchemaDocument,
): SchemaMembers {
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  // Patterns for names are not evaluated, so a member that is not in `properties` may have any value.
  const others = isJsonObject(patternProperties) ? true : additionalProperties;
  return {
    properties: new Map(entries.map(([name, schema]) => [name, { schema, document }])),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
    others: isJsonObject(others) ? { schema: others, document } : undefined,
    isClosed: others === false,
  };
}

function both(one: SchemaFacets, other: SchemaFacets): SchemaFacets {
  return {
    types: intersection(one.types, other.types),
    values: one.values && other.values ? intersection(one.values, other.values) : (one.values ?? other.values),
    items: one.items ?? other.items,
    members: one.members ?? other.members,
  };
}

/** Combines alternative branches. Items and members are known only if a single branch allows lists or objects. */
function either(branches: readonly SchemaFacets[]): SchemaFacets {
  const withType = (type: ValueType) => branches.filter(({ types }) => types.has(type));
  const [lists, objects] = [withType("array"), withType("object")];
  const values = branches.map((branch) => branch.values);
  return {
    types: new Set(branches.flatMap(({ types }) => [...types])),
    values: values.every((each) => each !== undefined) ? new Set(values.flatMap((each) => [...each])) : undefined,
    items: lists.length === 1 ? lists[0]?.items : undefined,
    members: objects.length === 1 ? objects[0]?.members : undefined,
  };
}

function targetOf(reference: string, root: JsonObject): unknown {
  const pointer = reference.startsWith("#") ? parsePointer(decoded(reference.slice(1))) : undefined;
  let target: unknown = pointer === undefined ? undefined : root;
  for (const name of pointer ?? []) {
    if (Array.isArray(target)) target = target[Number(name)];
    else target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function typesNamed(name: unknown): readonly ValueType[] {
  if (name === "number") return ["integer", "fraction"];
  return ALL_TYPES.filter((type) => type === name && type !== "fraction");
}

function typeOf(value: unknown): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value === "boolean" ? "boolean" : typeof value === "string" ? "string" : "object";
}

/** Returns the same text for equal values, whatever the order of members. */
function textOf(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return JSON.stringify(value);
  }
}

function intersection<Item>(one: ReadonlySet<Item>, other: ReadonlySet<Item>): ReadonlySet<Item> {
  return new Set([...one].filter((item) => other.has(item)));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
