import type { EgressError } from "@yagate/egress";
import { withoutUrl } from "@yagate/egress/internal";
import type { AttemptFailure } from "../webhooks/port.ts";
import { gatewayFailure } from "./failure.ts";

/**
 * What a request that brought no answer means for the call.
 *
 * Messages are for the model, so they never say which address a name has or whether a port is open; the reason is kept
 * for the developer.
 *
 * @param limitMs - how long the attempt could take.
 */
export function egressFailure(error: EgressError, limitMs: number): AttemptFailure {
  const { code, reason, bytesMayHaveLeft, isTemporary } = error;
  const known = { outcome: bytesMayHaveLeft ? "unknown" : "none", developerMessage: reason } as const;
  switch (code) {
    case "TIMEOUT":
      return gatewayFailure(code, `the tool did not answer within ${limitMs} ms`, known);
    case "NETWORK_ERROR": {
      const what = bytesMayHaveLeft ? "was lost before its answer was complete" : "could not be made";
      return gatewayFailure(code, `the connection to the tool's service ${what}`, known);
    }
    case "TLS_ERROR":
      return gatewayFailure(code, "the tool's service could not prove who it is", known);
    case "URL_BLOCKED":
      return gatewayFailure(code, withoutUrl(error), known);
    case "DNS_BLOCKED":
      // A name server that was silent may answer next time; a destination that is not allowed stays so.
      return gatewayFailure(code, withoutUrl(error), { ...known, isRetryable: isTemporary });
    case "RESPONSE_TOO_LARGE":
      return gatewayFailure(code, "the tool's answer is larger than allowed", known);
    case "INVALID_RESPONSE":
      return gatewayFailure(code, "the tool's answer can't be used: it is not encoded as it says", known);
    case "REDIRECT_REFUSED":
      return gatewayFailure(code, "the tool's service redirects instead of answering", known);
    case "CANCELLED":
      return gatewayFailure(code, "the call was cancelled before the tool answered", known);
    case "INVALID_ARGUMENTS":
      return gatewayFailure("INTERNAL", "the call could not be sent for a reason inside the gateway", known);
  }
}
