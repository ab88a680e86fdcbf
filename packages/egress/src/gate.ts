import { createAddressPolicy } from "./address-policy.ts";
import type { Authority, Destination } from "./destination.ts";
import type { CompletePolicy } from "./policy.ts";
import { rememberUrls } from "./recent-urls.ts";
import { type ResolvedAddress, resolveHost } from "./resolver.ts";
import { createUrlPolicy } from "./url-policy.ts";

/** The decisions of a policy, which requests and connections share. */
export interface Gate {
  /** @throws EgressError `URL_BLOCKED`. */
  parse(url: string): Destination;
  /**
   * Resolves a name and checks all of its addresses.
   *
   * @throws EgressError `URL_BLOCKED`, `DNS_BLOCKED`.
   */
  resolve(authority: Authority): Promise<readonly ResolvedAddress[]>;
  isRefused(address: string): boolean;
}

/** @throws YagateError `INVALID_REQUEST` for an invalid CIDR or domain in the policy. */
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
