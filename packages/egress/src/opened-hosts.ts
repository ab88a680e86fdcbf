import { isLocalhost, withoutBrackets } from "@yagate/lib/hosts/host-name";
import { createAddressPolicy } from "./address-policy.ts";
import type { EgressPolicy } from "./policy.ts";

/** Whether a host is inside the operator's allowlisted networks, as far as its text shows that. */
export type OpenedHosts = (host: string) => boolean;

/**
 * Checks addresses, and `localhost` as the loopback address. The addresses of other names are unknown, or arbitrary
 * below a wildcard.
 */
export function createOpenedHosts({ allowCidrs = [], denyCidrs = [] }: EgressPolicy): OpenedHosts {
  const { judge } = createAddressPolicy(allowCidrs, denyCidrs);
  return (host) =>
    !host.startsWith("*.") && judge(isLocalhost(host) ? "127.0.0.1" : withoutBrackets(host)) === "allowed";
}
