import type { Destination } from "@yagate/egress";
import { EgressError, type EgressPolicy } from "@yagate/egress";
import { completePolicy, createGate } from "@yagate/egress/internal";
import { strictFamily } from "@yagate/lib/hosts/address-family";

/** Returns why calls to a URL could never be allowed; undefined if they could be. */
export type HandlerUrlCheck = (url: string) => Promise<string | undefined>;

/**
 * Creates the check for the URLs in an agent that is being saved. It does not resolve host names, because their
 * addresses may change before the first call.
 *
 * @param policy - the policy of the guard that sends the calls.
 * @throws YagateError `INVALID_REQUEST` for an invalid policy.
 */
export function createHandlerUrlCheck(policy: EgressPolicy): HandlerUrlCheck {
  const gate = createGate(completePolicy(policy));
  return async (url) => {
    if (url.includes("#")) return "expected a url without a fragment, which is never sent";
    let destination: Destination | undefined;
    try {
      destination = gate.parse(url);
      // An address needs no DNS lookup, so it can be checked immediately.
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
const PRIVATE_ADDRESS = "expected a public address, or one in the operator's allowlisted networks";
