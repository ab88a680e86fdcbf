import { isJsonObject, type JsonObject } from "../../json/json-object.ts";
import { appendPointer } from "../../json/json-pointer.ts";
import { type Draft, isFrom } from "./drafts.ts";

interface Holder {
  readonly holds: "schema" | "list" | "map";
  readonly from?: Draft;
  /** The last draft that has the keyword in this form. */
  readonly until?: Draft;
}

const HOLDERS: ReadonlyMap<string, readonly Holder[]> = new Map<string, readonly Holder[]>([
  ["definitions", [{ holds: "map" }]],
  ["$defs", [{ holds: "map", from: "2019-09" }]],
  ["properties", [{ holds: "map" }]],
  ["patternProperties", [{ holds: "map" }]],
  ["additionalProperties", [{ holds: "schema" }]],
  ["dependencies", [{ holds: "map" }]],
  ["dependentSchemas", [{ holds: "map", from: "2019-09" }]],
  ["propertyNames", [{ holds: "schema", from: "06" }]],
  ["unevaluatedProperties", [{ holds: "schema", from: "2019-09" }]],
  ["items", [{ holds: "schema" }, { holds: "list", until: "2019-09" }]],
  ["prefixItems", [{ holds: "list", from: "2020-12" }]],
  ["additionalItems", [{ holds: "schema", until: "2019-09" }]],
  ["contains", [{ holds: "schema", from: "06" }]],
  ["unevaluatedItems", [{ holds: "schema", from: "2019-09" }]],
  ["contentSchema", [{ holds: "schema", from: "2019-09" }]],
  ["allOf", [{ holds: "list" }]],
  ["anyOf", [{ holds: "list" }]],
  ["oneOf", [{ holds: "list" }]],
  ["not", [{ holds: "schema" }]],
  ["if", [{ holds: "schema", from: "07" }]],
  ["then", [{ holds: "schema", from: "07" }]],
  ["else", [{ holds: "schema", from: "07" }]],
]);

/** A nested schema, and its location relative to the schema that contains it. */
export interface Inner {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/**
 * Returns the direct subschemas of a schema. They can only be at locations where the draft allows schemas: in an `enum`
 * or a `default`, the same names are data.
 */
export function subschemasOf(schema: JsonObject, draft: Draft): readonly Inner[] {
  const found: Inner[] = [];
  const add = (pointer: string, inner: unknown) => {
    if (isJsonObject(inner)) found.push({ pointer, schema: inner });
  };
  for (const [keyword, value] of Object.entries(schema)) {
    for (const { holds, from, until } of HOLDERS.get(keyword) ?? []) {
      if (from !== undefined && !isFrom(draft, from)) continue;
      if (until !== undefined && !isFrom(until, draft)) continue;
      const pointer = appendPointer("", keyword);
      if (holds === "schema") add(pointer, value);
      if (holds === "list" && Array.isArray(value)) {
        value.forEach((one: unknown, index) => {
          add(appendPointer(pointer, index), one);
        });
      }
      if (holds === "map" && isJsonObject(value)) {
        for (const [name, one] of Object.entries(value)) add(appendPointer(pointer, name), one);
      }
    }
  }
  return found;
}
