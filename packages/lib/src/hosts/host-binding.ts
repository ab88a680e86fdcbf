import { isIPv6 } from "node:net";
import { createDomainList, withoutBrackets } from "./domain-list.ts";
import { withoutTrailingDot } from "./host-name.ts";

/**
 * Whether a credential may be sent to a host: one of its hosts is that name, or `*.` and what follows its first label.
 *
 * @param host - a name or an address, without a port. Upper case, Unicode and one trailing dot make no difference.
 * @param hosts - of the secret. With none it may be sent nowhere.
 */
export function hostIsBound(host: string, hosts: readonly string[]): boolean {
  const canonical = hosts.length === 0 ? undefined : canonicalHost(host);
  return canonical !== undefined && createDomainList(hosts)(canonical);
}

/** As a URL parser writes it, so that both sides of the comparison are alike. */
function canonicalHost(host: string): string | undefined {
  const text = withoutBrackets(host);
  const isAddress = isIPv6(text);
  if (!isAddress && /[\s/\\?#@:[\]]/.test(host)) return undefined;
  const url = URL.parse(`https://${isAddress ? `[${text}]` : text}/`);
  const canonical = url === null ? "" : withoutTrailingDot(withoutBrackets(url.hostname));
  return canonical === "" ? undefined : canonical;
}
