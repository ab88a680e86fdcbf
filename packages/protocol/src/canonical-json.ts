import { YagateError } from "./errors/yagate-error.ts";

/**
 * Maximum depth, far beyond that of any schema. It detects cycles, and keeps a hostile document from overflowing the
 * stack.
 */
const MAX_DEPTH = 1_000;

/**
 * Serialises a JSON value in the canonical form of RFC 8785: no white space, members sorted by the UTF-16 code units of
 * their names, and numbers and strings written as in ECMAScript.
 *
 * @param value - a value that `JSON.parse` can return, nested at most 1,000 levels deep. Members that are `undefined`
 *   are omitted, as in `JSON.stringify`.
 * @throws {@link YagateError} `PAYLOAD_INVALID` if the value contains something that JSON cannot represent (such as
 *   `NaN`, a `Date` or a lone surrogate), or has too many levels.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new YagateError("PAYLOAD_INVALID", `expected at most ${MAX_DEPTH} levels of nesting`);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeString(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth + 1)).join(",")}]`;
  if (isPlainObject(value)) return writeObject(value, depth);
  throw new YagateError("PAYLOAD_INVALID", "expected JSON values only");
}

function writeObject(value: Record<string, unknown>, depth: number): string {
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) members.push(`${writeString(name)}:${write(member, depth + 1)}`);
  }
  return `{${members.join(",")}}`;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function writeString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new YagateError("PAYLOAD_INVALID", "expected strings that are valid Unicode");
  return JSON.stringify(text);
}

/**
 * Checks whether a value is a plain object, even if it comes from another realm. Instances of classes do not count,
 * because their members may not represent their complete value.
 */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
