import { isJsonObject, type JsonObject } from "@yagate/lib/json/json-object";
import { appendPointer } from "@yagate/lib/json/json-pointer";

/** How a keyword holds other schemas, and whether they are checked against the same value or a part of it. */
interface Applicator {
  readonly holds: "schema" | "list" | "map";
  readonly appliesTo: "same value" | "part" | "nothing";
}

/** Every keyword of JSON Schema 2020-12 that holds schemas, with the older names that still mean the same. */
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

/** A schema inside another one. */
export interface Subschema {
  /** JSON pointer, relative to the schema that holds it. */
  readonly pointer: string;
  readonly keyword: string;
  /** The list index or map key under the keyword; absent where the keyword holds one schema. */
  readonly key?: string | number;
  readonly schema: unknown;
  readonly appliesTo: Applicator["appliesTo"];
}

/** Whether a keyword holds schemas. */
export function isApplicator(keyword: string): boolean {
  return APPLICATORS.has(keyword);
}

/**
 * The schemas directly inside a schema. Only places where the specification puts a schema count: a property that is
 * named `pattern`, or a `$ref` inside `enum` or `default`, is data.
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

/** `dependencies` of the older drafts holds lists of property names beside schemas. */
function isNameList(keyword: string, member: unknown): boolean {
  return keyword === "dependencies" && Array.isArray(member);
}
