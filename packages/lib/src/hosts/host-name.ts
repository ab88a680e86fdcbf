/** The host of a URL as lists and policies compare it: without the brackets of an IPv6 address and a trailing dot. */
export function hostNameOf({ hostname }: Pick<URL, "hostname">): string {
  return withoutTrailingDot(withoutBrackets(hostname));
}

/** URLs write IPv6 addresses in brackets. */
export function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/** One trailing dot makes a name absolute and means the same host. */
export function withoutTrailingDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

/** `localhost` and every name below it (RFC 6761), which must never resolve to a public address. */
export function isLocalhost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}
