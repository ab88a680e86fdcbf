import { LRUCache } from "lru-cache";
import { createAddressPolicy } from "./address-policy.ts";
import type { Authority, Destination } from "./destination.ts";
import type { CompletePolicy } from "./policy.ts";
import { type ResolvedAddress, resolveHost } from "./resolver.ts";
import { createUrlPolicy } from "./url-policy.ts";

/** Applies a policy to requests and connections. */
export interface Gate {
  /**
   * Parses and checks a URL.
   *
   * @throws EgressError `URL_BLOCKED`.
   */
  parse(url: string): Destination;
  /**
   * Resolves a name and checks all of its addresses.
   *
   * @throws EgressError `URL_BLOCKED`, `DNS_BLOCKED`.
   */
  resolve(authority: Authority): Promise<readonly ResolvedAddress[]>;
  isRefused(address: string): boolean;
}

/**
 * Creates the gate for a policy.
 *
 * @throws YagateError `INVALID_REQUEST` if the policy contains an invalid CIDR or domain.
 */
export function createGate(policy: CompletePolicy): Gate {
  const addressPolicy = createAddressPolicy(policy.allowCidrs, policy.denyCidrs);
  const urlPolicy = createUrlPolicy(policy, addressPolicy);
  return {
    parse: rememberUrls(urlPolicy.parse),
    async resolve(authority) {
      urlPolicy.judge(authority);
      const addresses = await resolveHost(authority.hostname, policy.lookup, policy.limits.dnsTimeoutMs);
      urlPolicy.admit(authority, addresses);
      return addresses;
    },
    isRefused: (address) => addressPolicy.judge(address) === "refused",
  };
}

const MAX_URLS = 1_024;
/** Maximum length of a cached URL. Longer URLs are rarely requested twice, and would take up too much memory. */
const MAX_LENGTH = 512;

/**
 * Caches the results of parsing recent URLs. A result depends only on the text, because the policy of a guard never
 * changes; addresses are checked again for each connection.
 *
 * @param parse - throws for a blocked URL, which is not cached.
 */
export function rememberUrls(parse: (url: string) => Destination): (url: string) => Destination {
  const known = new LRUCache<string, Destination>({ max: MAX_URLS });
  return (url) => {
    const found = known.get(url);
    if (found !== undefined) {
      return found;
    }
    const destination = parse(url);
    if (url.length <= MAX_LENGTH) {
      known.set(url, destination);
    }
    return destination;
  };
}
