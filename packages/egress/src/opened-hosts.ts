import { withoutBrackets } from "@yagate/lib/hosts/domain-list";
import { isLocalhost } from "@yagate/lib/hosts/host-name";
import { createAddressPolicy } from "./address-policy.ts";
import type { EgressPolicy } from "./policy.ts";

/** Says whether a host is inside the networks that the operator opened, as far as its text shows that. */
export type OpenedHosts = (host: string) => boolean;

/** Addresses are judged, and `localhost` as the loopback; what other names stand for is not known, or made up below a wildcard. */
export function createOpenedHosts({ allowCidrs = [], denyCidrs = [] }: EgressPolicy): OpenedHosts {
  const { judge } = createAddressPolicy(allowCidrs, denyCidrs);
  return (host) =>
    !host.startsWith("*.") && judge(isLocalhost(host) ? "127.0.0.1" : withoutBrackets(host)) === "allowed";
}
