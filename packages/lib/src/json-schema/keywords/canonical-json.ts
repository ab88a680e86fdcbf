import { isJsonObject } from "../../json/json-object.ts";

/** Returns a text that is the same for equal JSON values and different for other values. Members are sorted by name. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  // A number beyond the largest double is parsed as Infinity, which JSON.stringify would turn into null.
  if (typeof value === "number") return Object.is(value, -0) ? "0" : String(value);
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}
