import { isObject } from "@yagate/lib/json/json-object";
import { type ToolCall, YagateError } from "@yagate/protocol/calls";

/**
 * Maximum length of a text that is used as the fingerprint itself, because hashing it would take longer than comparing
 * it.
 */
const MAX_TEXT_LENGTH = 1_024;

/**
 * Returns a fingerprint of what a call requests: the tool's name and the arguments, regardless of the order of their
 * members. It does not use the canonical form of RFC 8785, because that form cannot represent a lone surrogate, which
 * arguments may contain.
 *
 * @throws {@link YagateError} `PAYLOAD_INVALID` for arguments that are nested too deeply to serialise.
 */
export function fingerprintOf({ name, parameters }: ToolCall): string | Promise<string> {
  const text = write([name, parameters]);
  return text.length <= MAX_TEXT_LENGTH ? text : hash(text);
}

function write(value: unknown): string {
  try {
    return JSON.stringify(sortMembers(value));
  } catch {
    throw new YagateError("PAYLOAD_INVALID", "parameters: expected fewer levels of nesting");
  }
}

function sortMembers(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(sortMembers);
  const sorted: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value).sort(byName)) {
    // An assignment to `__proto__` would set the object's prototype, so the member would be missing from the text.
    if (name === "__proto__") Object.defineProperty(sorted, name, { value: sortMembers(member), enumerable: true });
    else sorted[name] = sortMembers(member);
  }
  return sorted;
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

async function hash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
