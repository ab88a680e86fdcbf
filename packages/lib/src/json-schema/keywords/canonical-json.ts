import { isJsonObject } from "../../json/json-object.ts";

/** A text that is the same for equal JSON values and for no others: members are in the order of their names. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  // A number past the largest double is read as infinite, and JSON would write that as null.
  if (typeof value === "number") return Object.is(value, -0) ? "0" : String(value);
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}
