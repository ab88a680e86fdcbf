const LABEL = "[a-z0-9_-]{1,63}";
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const MAX_NAME_LENGTH = 253;

/**
 * Whether a host that a URL parser returned can be asked of a name server. URL parsers let `*`, `{`, `"` and empty
 * labels through.
 */
export function isHostName(host: string): boolean {
  return host.length <= MAX_NAME_LENGTH && NAME.test(host);
}

/** `localhost` and every name below it (RFC 6761): a resolver that answers with a public address is lying. */
export function isLocalhost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/** One trailing dot makes a name absolute and means the same host. */
export function withoutTrailingDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
