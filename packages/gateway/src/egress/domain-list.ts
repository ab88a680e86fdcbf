import { YagateError } from "@yagate/protocol";
import { strictFamily } from "./address-policy.ts";
import { isHostName, withoutTrailingDot } from "./host-name.ts";

/** Says whether a host is on the list. */
export type DomainList = (host: string) => boolean;

/**
 * @param entries - exact names (`api.example.com`), or `*.example.com` for every name below, but not the name itself.
 *   Names may be written in Unicode; IP addresses match themselves.
 * @throws YagateError `INVALID_REQUEST`.
 */
export function createDomainList(entries: readonly string[]): DomainList {
  const names = new Set<string>();
  const suffixes: string[] = [];
  entries.forEach((entry, index) => {
    const isWildcard = entry.startsWith("*.");
    const name = canonicalHost(isWildcard ? entry.slice(2) : entry);
    if (name === undefined || (isWildcard && strictFamily(name) !== 0)) {
      throw new YagateError(
        "INVALID_REQUEST",
        `allowedDomains[${index}] must be a host name such as api.example.com or *.example.com`,
      );
    }
    if (isWildcard) {
      suffixes.push(`.${name}`);
    } else {
      names.add(name);
    }
  });
  return (host) => names.has(host) || suffixes.some((suffix) => host.endsWith(suffix));
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
