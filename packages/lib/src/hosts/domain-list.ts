import { YagateError } from "@yagate/protocol";
import { strictFamily } from "./address-family.ts";
import { isHostName, withoutTrailingDot } from "./host-name.ts";

/** Says whether a host is on the list. */
export type DomainList = (host: string) => boolean;

/**
 * @param entries - exact names (`api.example.com`), or `*.example.com` for every name below, but not the name itself.
 *   Names may be written in Unicode; IP addresses match themselves.
 * @throws YagateError `INVALID_REQUEST`.
 */
export function createDomainList(entries: readonly string[]): DomainList {
  const canonical = domainNames(entries);
  const names = new Set(canonical);
  const suffixes = canonical.filter(isWildcard).map((name) => name.slice(1));
  return (host) => names.has(host) || suffixes.some((suffix) => host.endsWith(suffix));
}

/**
 * The entries of a list as URL parsers write hosts: lower case, Unicode as punycode.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export function domainNames(entries: readonly string[]): readonly string[] {
  return entries.map((entry, index) => {
    const prefix = isWildcard(entry) ? "*." : "";
    const name = canonicalHost(entry.slice(prefix.length));
    if (name === undefined || (prefix !== "" && strictFamily(name) !== 0)) {
      throw new YagateError(
        "INVALID_REQUEST",
        `allowedDomains[${index}] must be a host name such as api.example.com or *.example.com`,
      );
    }
    return prefix + name;
  });
}

function isWildcard(entry: string): boolean {
  return entry.startsWith("*.");
}

/** The form that a URL parser gives the host, so that both sides of the comparison have it. */
function canonicalHost(text: string): string | undefined {
  const bracketed = strictFamily(text) === 6 ? `[${text}]` : text;
  if (/[\s/\\?#@:]/.test(text) && bracketed === text) {
    return undefined;
  }
  const url = URL.parse(`https://${bracketed}/`);
  const host = url === null ? "" : withoutTrailingDot(withoutBrackets(url.hostname));
  return strictFamily(host) !== 0 || isHostName(host) ? host : undefined;
}

/** URLs write IPv6 addresses in brackets. */
export function withoutBrackets(host: string): string {
  return host.startsWith("[") ? host.slice(1, -1) : host;
}
