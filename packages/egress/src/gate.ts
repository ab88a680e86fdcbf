import { createAddressPolicy } from "./address-policy.ts";
import type { Authority, Destination } from "./destination.ts";
import type { CompletePolicy } from "./policy.ts";
import { rememberUrls } from "./recent-urls.ts";
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
