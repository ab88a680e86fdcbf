import { isObject } from "@yagate/lib/json/json-object";

/** Tags of objects whose content is not in their properties. An object has the same tag in every realm. */
const OPAQUE =
  /^\[object (Map|Set|WeakMap|WeakSet|WeakRef|Promise|RegExp|Error|DOMException|.*Array|ArrayBuffer|SharedArrayBuffer|DataView|Blob|File|Headers|Request|Response|FormData|URLSearchParams|ReadableStream|Generator|AsyncGenerator|.*Iterator(?: Helper)?)\]$/;

/**
 * Finds values in a result that JSON would change without an error: a Map becomes `{}`, NaN becomes `null`, a function
 * disappears. Properties that are `undefined` are allowed.
 *
 * @returns a sentence with the path of the first such value, or `undefined` if there is none.
 */
export function findUnfaithful(result: unknown): string | undefined {
  const fault = findFault(result, "result", "", []);
  return fault === undefined ? undefined : `a result must be representable as JSON: ${fault}`;
}

/** @param key - the key that `JSON.stringify` passes to `toJSON`. */
function findFault(given: unknown, path: string, key: string, around: readonly object[]): string | undefined {
  if (isInvalidDate(given)) return `${path} is an invalid Date, which becomes null`;
  const value = unboxed(toJson(given, key));
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : `${path} is ${value}, which becomes null`;
    case "bigint":
      return `${path} is a BigInt: return it as a string`;
    case "function":
    case "symbol":
      return `${path} is a ${typeof value}`;
    case "object":
      return value === null ? undefined : findFaultInside(value, path, around);
    default:
      return undefined;
  }
}

function findFaultInside(value: object, path: string, around: readonly object[]): string | undefined {
  if (around.includes(value)) return `${path} contains itself`;
  const inside = [...around, value];
  if (Array.isArray(value)) return firstFault(value.entries(), (index) => `${path}[${index}]`, inside);
  const [, opaque] = OPAQUE.exec(classOf(value)) ?? [];
  if (opaque !== undefined)
    return `${path} is ${/^[AEI]/.test(opaque) ? "an" : "a"} ${opaque}, whose content JSON omits${adviceOn(opaque)}`;
  return firstFault(Object.entries(value), (name) => pathOf(path, name), inside);
}

const ADVICE: Readonly<Record<string, string>> = {
  Map: ": use Object.fromEntries(map)",
  Set: ": use [...set]",
  Promise: ": await it",
  Uint8Array: ": encode it as base64",
  Generator: ": use [...generator]",
  URLSearchParams: ": use Object.fromEntries(params)",
};

function adviceOn(opaque: string): string {
  return ADVICE[opaque] ?? (/Iterator/.test(opaque) && !opaque.startsWith("Async") ? ": use [...iterator]" : "");
}

function firstFault<Key>(
  entries: Iterable<readonly [Key, unknown]>,
  toPath: (key: Key) => string,
  around: readonly object[],
): string | undefined {
  for (const [key, value] of entries) {
    const fault = findFault(value, toPath(key), String(key), around);
    if (fault !== undefined) return fault;
    if (value === undefined && typeof key === "number") return `${toPath(key)} is undefined, which becomes null`;
  }
  return undefined;
}

function pathOf(path: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

function isInvalidDate(value: unknown): boolean {
  return classOf(value) === "[object Date]" && Number.isNaN(Number(value));
}

/** Unwraps number, string and boolean objects, as `JSON.stringify` does. */
function unboxed(value: unknown): unknown {
  return typeof value === "object" && classOf(value) === "[object Number]" ? Number(value) : value;
}

function classOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

function toJson(value: unknown, key: string): unknown {
  const hasOwnForm = isObject(value) && "toJSON" in value;
  return hasOwnForm && typeof value.toJSON === "function" ? value.toJSON(key) : value;
}
