import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonObject, JsonValue } from "@yagate/protocol";

/** A schema and its path in the tool's schema. */
export interface SchemaNode {
  readonly schema: JsonObject;
  /** The path from the root, such as `.properties.city` or `.anyOf[0]`; empty for the root. */
  readonly path: string;
}

const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"] as const;
const SINGLES = [
  "items",
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"] as const;

/** Maximum number of schemas: more than 64 KiB of JSON can contain. Longer schemas are rejected elsewhere. */
const MAX_NODES = 20_000;

/** Returns a schema and all nested schemas, outermost first. Values that are not schemas are skipped. */
export function schemaNodes(root: JsonObject): readonly SchemaNode[] {
  const nodes: SchemaNode[] = [{ schema: root, path: "" }];
  for (let index = 0; index < nodes.length && nodes.length < MAX_NODES; index += 1) {
    const node = nodes[index];
    if (node !== undefined) nodes.push(...childrenOf(node));
  }
  return nodes;
}

function childrenOf({ schema, path }: SchemaNode): readonly SchemaNode[] {
  const children: [string, JsonValue | undefined][] = [];
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (isJsonObject(map))
      for (const [name, value] of Object.entries(map)) children.push([`${keyword}.${name}`, value]);
  }
  for (const keyword of SINGLES) children.push([keyword, schema[keyword]]);
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list))
      for (const [index, value] of list.entries()) children.push([`${keyword}[${index}]`, value]);
  }
  return children.flatMap(([place, value]) =>
    isJsonObject(value) ? [{ schema: value, path: `${path}.${place}` }] : [],
  );
}

/** Checks whether a schema explicitly allows values of a type. */
export function hasType({ type }: JsonObject, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}
