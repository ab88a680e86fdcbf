import { isLocalhost, withoutBrackets } from "@yagate/lib/hosts/host-name";
import { createAddressPolicy } from "./address-policy.ts";
import type { EgressPolicy } from "./policy.ts";

/**
 * Returns whether a host is inside the operator's allowlisted networks, as far as this can be determined from its text.
 */
export type OpenedHosts = (host: string) => boolean;

/**
 * Creates the check. It recognises addresses, and treats `localhost` as the loopback address. It returns false for
 * other names, because their addresses are unknown.
 */
export function createOpenedHosts({ allowCidrs = [], denyCidrs = [] }: EgressPolicy): OpenedHosts {
  const { judge } = createAddressPolicy(allowCidrs, denyCidrs);
  return (host) =>
    !host.startsWith("*.") && judge(isLocalhost(host) ? "127.0.0.1" : withoutBrackets(host)) === "allowed";
}
