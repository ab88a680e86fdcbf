import { isJsonObject } from "@yagate/lib/json/json-object";

/** Compares two JSON values as Python does: `1`, `1.0` and `true` are equal. */
export function pythonEqual(one: unknown, other: unknown): boolean {
  if (isNumeric(one) && isNumeric(other)) return Number(one) === Number(other);
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => pythonEqual(item, other[at]));
  }
  if (isJsonObject(one)) {
    if (!isJsonObject(other)) return false;
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && pythonEqual(one[name], other[name]))
    );
  }
  return one === other;
}

function isNumeric(value: unknown): value is number | boolean {
  return typeof value === "number" || typeof value === "boolean";
}
