/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Checks whether a value is an object of any kind. Arrays are objects; null and functions are not. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Checks whether a value is an object with members, so neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value) && !Array.isArray(value);
}
