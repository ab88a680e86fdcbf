import { strictFamily } from "@yagate/lib/hosts/address-family";
import { isLocalhost, withoutBrackets } from "@yagate/lib/hosts/host-name";
import { createAddressPolicy } from "./address-policy.ts";

const policy = createAddressPolicy([], []);

/** Whether the host of a URL is, by its text alone, this machine or in a private network. */
export function isPrivateHost(host: string): boolean {
  const bare = withoutBrackets(host);
  return isLocalhost(bare) || (strictFamily(bare) !== 0 && policy.judge(bare) === "refused");
}
