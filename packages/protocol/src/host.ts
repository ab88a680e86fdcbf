/** Maximum length of a host name, in characters. */
export const MAX_HOST_LENGTH = 253;

/** Suffixes under which third parties cannot register names, so a wildcard for them cannot allow an unknown host. */
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set(["internal", "local", "localhost", "test"]);

const LABEL = "[a-z0-9_-]{1,63}";
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const IPV6 = /^(?:\[[0-9a-f:.]*:[0-9a-f:.]*\]|[0-9a-f:.]*:[0-9a-f:.]*)$/i;

/**
 * Checks whether a host that a URL parser returned is a name that DNS can resolve: labels of lower-case letters,
 * digits, hyphens and underscores, separated by dots. URL parsers also accept `*`, `{`, `"` and empty labels.
 */
export function isHostName(host: string): boolean {
  return host.length <= MAX_HOST_LENGTH && NAME.test(host);
}

/**
 * Parses a host as people write it: a name, an IPv4 address, or an IPv6 address with or without brackets. A scheme,
 * port, path, user name or percent-encoding is not allowed.
 *
 * @returns the host in the form that a URL parser returns, but without brackets or a trailing dot: lower case,
 *   non-ASCII names as `xn--…`, addresses in their short form. Undefined if the text is not a host.
 */
export function parseHost(text: string): string | undefined {
  const isIpv6 = IPV6.test(text);
  if (!isIpv6 && /[\s/\\?#@:%[\]]/.test(text)) return undefined;
  const url = `https://${isIpv6 && !text.startsWith("[") ? `[${text}]` : text}/`;
  // Node 20 does not have URL.parse.
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  if (isIpv6) return hostname.slice(1, -1);
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return isHostName(host) ? host : undefined;
}

/**
 * Parses an entry of a list of destinations: a host, or `*.` followed by a name, which stands for every name under that
 * name, but not for the name itself.
 *
 * @returns the entry, with the host in the form of {@link parseHost}; undefined if it is invalid.
 */
export function parseHostPattern(text: string): string | undefined {
  if (!text.startsWith("*.")) return parseHost(text);
  const host = parseHost(text.slice(2));
  return host === undefined || host.includes(":") || IPV4.test(host) ? undefined : `*.${host}`;
}

/**
 * Checks whether a pattern allows names that anyone can register. `*.com` does; `*.example.com` and `*.internal` do
 * not.
 */
export function isOpenWildcard(pattern: string): boolean {
  return pattern.startsWith("*.") && !pattern.includes(".", 2) && !PRIVATE_SUFFIXES.has(pattern.slice(2));
}
