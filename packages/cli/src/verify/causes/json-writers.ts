import { isJsonObject, isObject } from "@yagate/lib/json/json-object";
/** Serialises a value in the format of `JSON.stringify`, PHP and most other programs. */
export function compactJson(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

export function prettyJson(value: unknown, indent: string): string {
  return JSON.stringify(value, undefined, indent) ?? "";
}

/** Serialises a value in the format of Python's `json.dumps`, with a space after commas and colons. */
export function pythonJson(value: unknown, { isAscii }: { readonly isAscii: boolean }): string {
  const text = write(value);
  if (!isAscii) return text;
  return text.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (!isObject(value)) return compactJson(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${write(member)}`);
  return `{${members.join(", ")}}`;
}

/** Returns the same value with the members of every object sorted by name. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isObject(value)) return value;
  const sorted = Object.entries(value)
    .map(([name, member]) => [name, sortedMembers(member)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted);
}

/** The order in which the gateway writes the fields of a call. */
const CALL_ORDER = [
  "toolCallId",
  "agentId",
  "executionId",
  "name",
  "parameters",
  "attempt",
  "timestamp",
  "deadline",
  "schemaHash",
  "audience",
  "caller",
  "callback",
];

/** Returns the same object with a call's fields first, in the gateway's order. */
export function inCallOrder(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const place = (name: string) => (CALL_ORDER.includes(name) ? CALL_ORDER.indexOf(name) : CALL_ORDER.length);
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => place(left) - place(right)));
}
