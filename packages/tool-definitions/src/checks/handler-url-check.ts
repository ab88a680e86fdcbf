import type { Destination } from "@yagate/egress";
import { EgressError, type EgressPolicy } from "@yagate/egress";
import { completePolicy, createGate } from "@yagate/egress/internal";
import { strictFamily } from "@yagate/lib/hosts/address-family";

/** Says why calls to a handler URL could never be allowed; undefined when they could. */
export type HandlerUrlCheck = (url: string) => Promise<string | undefined>;

/**
 * Makes the check of handler URLs when an agent is saved. No name is looked up: what it stands for may change until
 * the first call.
 *
 * @param policy - that of the guard which calls go through.
 * @throws YagateError `INVALID_REQUEST` for a policy that is none.
 */
export function createHandlerUrlCheck(policy: EgressPolicy): HandlerUrlCheck {
  const gate = createGate(completePolicy(policy));
  return async (url) => {
    if (url.includes("#")) return "expected a url without a fragment, which is never sent";
    let destination: Destination | undefined;
    try {
      destination = gate.parse(url);
      // An address needs no look-up, so it can be judged now.
      if (strictFamily(destination.hostname) !== 0) await gate.resolve(destination);
      return undefined;
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      if (error.code !== "DNS_BLOCKED") return error.message;
      const isOwn = destination !== undefined && policy.ownPlaces?.hasAddress(destination.hostname, destination.port);
      return isOwn === true ? OWN_ADDRESS : PRIVATE_ADDRESS;
    }
  };
}

const OWN_ADDRESS = "the url must not lead to the gateway itself";
const PRIVATE_ADDRESS = "expected an address that is public, or inside the networks that the operator opened";
