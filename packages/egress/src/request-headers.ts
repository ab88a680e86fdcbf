import { EgressError } from "./egress-error.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Headers that frame the message or identify the peer. `Host` would even change the name against which the certificate
 * is checked.
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

/** Checks whether only the guard may set a header. The name must be in lower case. */
export function isForbiddenHeader(name: string): boolean {
  return FORBIDDEN.has(name) || name.startsWith("proxy-");
}

/**
 * Returns the headers in undici's format: names and values in turn. `accept-encoding` is always `identity`, so that the
 * size of a response is its size on the wire.
 *
 * @throws EgressError `INVALID_ARGUMENTS` if a name or value is invalid, or a name is forbidden or repeated.
 */
export function toHeaderList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  // A list: the few names of a request are compared faster than they are hashed.
  const seen: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    const lowerCaseName = ADMITTED.get(name) ?? admitName(name);
    if (lowerCaseName === "accept-encoding") {
      continue;
    }
    if (seen.includes(lowerCaseName)) {
      throw invalidHeader(`the header ${lowerCaseName} must occur only once`);
    }
    if (typeof value !== "string" || !VALUE.test(value)) {
      throw invalidHeader(`the header ${lowerCaseName} must contain only printable ASCII`);
    }
    seen.push(lowerCaseName);
    list.push(name, value);
  }
  list.push("accept-encoding", "identity");
  return list;
}

/** Valid names with their lower-case forms. Nearly all requests use the same few names. */
const ADMITTED = new Map<string, string>();
const MAX_ADMITTED = 256;

function admitName(name: string): string {
  const lowerCaseName = name.toLowerCase();
  if (!NAME.test(name)) {
    throw invalidHeader("a header's name must be a token of letters, digits and !#$%&'*+-.^_`|~");
  }
  if (isForbiddenHeader(lowerCaseName)) {
    throw invalidHeader(`the header ${lowerCaseName} is set by the gateway and must be omitted`);
  }
  if (ADMITTED.size < MAX_ADMITTED) {
    ADMITTED.set(name, lowerCaseName);
  }
  return lowerCaseName;
}

function invalidHeader(message: string): EgressError {
  return new EgressError("INVALID_ARGUMENTS", message, { reason: message });
}
