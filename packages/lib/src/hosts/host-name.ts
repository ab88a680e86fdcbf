/**
 * Returns the host of a URL in the form that lists and policies compare: without the brackets of an IPv6 address and
 * without a trailing dot.
 */
export function hostNameOf({ hostname }: Pick<URL, "hostname">): string {
  return withoutTrailingDot(withoutBrackets(hostname));
}

/** Removes the brackets in which URLs enclose IPv6 addresses. */
export function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/** Removes one trailing dot, which makes a name absolute but does not change the host. */
export function withoutTrailingDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

/**
 * Checks whether a host is `localhost` or a name under it (RFC 6761). Such names must never resolve to a public
 * address.
 */
export function isLocalhost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}
