import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";

/** How a keyword contains subschemas, and whether they apply to the same value or to a part of it. */
interface Applicator {
  readonly holds: "schema" | "list" | "map";
  readonly appliesTo: "same value" | "part" | "nothing";
}

/** All keywords of JSON Schema 2020-12 that contain subschemas, including older names with the same meaning. */
const APPLICATORS: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ["$defs", { holds: "map", appliesTo: "nothing" }],
  ["definitions", { holds: "map", appliesTo: "nothing" }],
  ["allOf", { holds: "list", appliesTo: "same value" }],
  ["anyOf", { holds: "list", appliesTo: "same value" }],
  ["oneOf", { holds: "list", appliesTo: "same value" }],
  ["not", { holds: "schema", appliesTo: "same value" }],
  ["if", { holds: "schema", appliesTo: "same value" }],
  ["then", { holds: "schema", appliesTo: "same value" }],
  ["else", { holds: "schema", appliesTo: "same value" }],
  ["dependentSchemas", { holds: "map", appliesTo: "same value" }],
  ["dependencies", { holds: "map", appliesTo: "same value" }],
  ["properties", { holds: "map", appliesTo: "part" }],
  ["patternProperties", { holds: "map", appliesTo: "part" }],
  ["additionalProperties", { holds: "schema", appliesTo: "part" }],
  ["unevaluatedProperties", { holds: "schema", appliesTo: "part" }],
  ["propertyNames", { holds: "schema", appliesTo: "part" }],
  ["prefixItems", { holds: "list", appliesTo: "part" }],
  ["items", { holds: "schema", appliesTo: "part" }],
  ["unevaluatedItems", { holds: "schema", appliesTo: "part" }],
  ["contains", { holds: "schema", appliesTo: "part" }],
]);

/** A subschema of a schema. */
export interface Subschema {
  /** JSON pointer relative to the containing schema. */
  readonly pointer: string;
  readonly keyword: string;
  /** The list index or map key under the keyword; absent for a keyword with one schema. */
  readonly key?: string | number;
  readonly schema: unknown;
  readonly appliesTo: Applicator["appliesTo"];
}

/** Checks whether a keyword contains schemas. */
export function isApplicator(keyword: string): boolean {
  return APPLICATORS.has(keyword);
}

/**
 * Returns the direct subschemas of a schema, only where the specification allows a schema: a property named `pattern`,
 * or a `$ref` inside `enum` or `default`, is data.
 */
export function listSubschemas(schema: JsonObject): readonly Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const applicator = APPLICATORS.get(keyword);
    if (applicator === undefined) continue;
    const { holds, appliesTo } = applicator;
    const pointer = appendPointer("", keyword);
    if (holds === "schema") {
      found.push({ pointer, keyword, schema: value, appliesTo });
    } else if (holds === "list" && Array.isArray(value)) {
      value.forEach((member: unknown, key) => {
        found.push({ pointer: appendPointer(pointer, key), keyword, key, schema: member, appliesTo });
      });
    } else if (holds === "map" && isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        if (isNameList(keyword, member)) continue;
        found.push({ pointer: appendPointer(pointer, key), keyword, key, schema: member, appliesTo });
      }
    }
  }
  return found;
}

/**
 * Checks whether a member of `dependencies` is a list of property names. In older drafts, `dependencies` contains both
 * such lists and schemas.
 */
function isNameList(keyword: string, member: unknown): boolean {
  return keyword === "dependencies" && Array.isArray(member);
}
