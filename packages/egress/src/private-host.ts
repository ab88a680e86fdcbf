import { strictFamily } from "@yagate/lib/hosts/address-family";
import { isLocalhost, withoutBrackets } from "@yagate/lib/hosts/host-name";
import { createAddressPolicy } from "./address-policy.ts";

const policy = createAddressPolicy([], []);

/** Checks, from its text alone, whether the host of a URL is this machine or is in a private network. */
export function isPrivateHost(host: string): boolean {
  const bare = withoutBrackets(host);
  return isLocalhost(bare) || (strictFamily(bare) !== 0 && policy.judge(bare) === "refused");
}
