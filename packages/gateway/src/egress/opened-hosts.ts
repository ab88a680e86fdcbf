import { createAddressPolicy } from "./address-policy.ts";
import { withoutBrackets } from "./domain-list.ts";
import { isLocalhost } from "./host-name.ts";
import type { EgressPolicy } from "./policy.ts";

/** Says whether a host is inside the networks that the operator opened, as far as its text shows that. */
export type OpenedHosts = (host: string) => boolean;

/** Addresses are judged, and `localhost` as the loopback; what other names stand for is not known. */
export function createOpenedHosts({ allowCidrs = [], denyCidrs = [] }: EgressPolicy): OpenedHosts {
  const { judge } = createAddressPolicy(allowCidrs, denyCidrs);
  return (host) => judge(isLocalhost(host) ? "127.0.0.1" : withoutBrackets(host)) === "allowed";
}
