import { isJsonObject } from "@yagate/lib/json/json-object";

/** The types that the leaderboard distinguishes. */
export type PythonType = "str" | "int" | "float" | "bool" | "list" | "dict" | "none";

const TYPES: ReadonlyMap<string, PythonType> = new Map([
  ["string", "str"],
  ["any", "str"],
  ["integer", "int"],
  ["float", "float"],
  ["number", "float"],
  ["boolean", "bool"],
  ["array", "list"],
  ["tuple", "list"],
  ["dict", "dict"],
  ["object", "dict"],
]);

/** Returns the type that a schema declares, in the words of JSON Schema or of the leaderboard. Default: `str`. */
export function declaredType(schema: unknown): PythonType {
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  return (typeof type === "string" ? TYPES.get(type) : undefined) ?? "str";
}

/** Returns the type of a JSON value. JSON does not distinguish `5.0` from `5`, which is an `int` here. */
export function typeOfValue(value: unknown): PythonType {
  if (value === null || value === undefined) return "none";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return Array.isArray(value) ? "list" : "dict";
}
