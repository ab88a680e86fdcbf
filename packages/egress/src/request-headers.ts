import { EgressError } from "./egress-error.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Headers that frame the message or name the peer. `Host` would even change the name that the certificate is checked
 * against.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "expect",
  "te",
  "trailer",
]);

/** Whether only the guard sets a header (name in lower case). */
export function isForbiddenHeader(name: string): boolean {
  return FORBIDDEN.has(name) || name.startsWith("proxy-");
}

/**
 * Returns the headers as undici takes them, names and values alternately. `accept-encoding` is always `identity`, so
 * that the size of a response is its size on the wire.
 *
 * @throws EgressError `INVALID_ARGUMENTS` for an invalid name or value, and for a forbidden or repeated name.
 */
export function toHeaderList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  const seen = new Set<string>();
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const lowerCaseName = ADMITTED.get(name) ?? admitName(name);
    if (lowerCaseName === "accept-encoding") {
      continue;
    }
    if (seen.has(lowerCaseName)) {
      throw invalidHeader(`the header ${lowerCaseName} must occur only once`);
    }
    if (typeof value !== "string" || !VALUE.test(value)) {
      throw invalidHeader(`the header ${lowerCaseName} must contain printable ASCII only`);
    }
    seen.add(lowerCaseName);
    list.push(name, value);
  }
  list.push("accept-encoding", "identity");
  return list;
}

/** Valid names and their lower-case forms: nearly all requests use the same few. */
const ADMITTED = new Map<string, string>();
const MAX_ADMITTED = 256;

function admitName(name: string): string {
  const lowerCaseName = name.toLowerCase();
  if (!NAME.test(name)) {
    throw invalidHeader("a header's name must be a token of letters, digits and !#$%&'*+-.^_`|~");
  }
  if (isForbiddenHeader(lowerCaseName)) {
    throw invalidHeader(`the header ${lowerCaseName} is set by the gateway and must be left out`);
  }
  if (ADMITTED.size < MAX_ADMITTED) {
    ADMITTED.set(name, lowerCaseName);
  }
  return lowerCaseName;
}

function invalidHeader(message: string): EgressError {
  return new EgressError("INVALID_ARGUMENTS", message, { reason: message });
}
