import { gatewayFailure } from "../../calls/failure.ts";
import type { AttemptFailure } from "../port.ts";
import type { RejectionReason } from "./endpoint-limiter.ts";

const NEVER_LEFT = { outcome: "none" } as const;

/** What it means for the call that its attempt got no turn. */
export function rejectionFailure(noTurn: RejectionReason): AttemptFailure {
  switch (noTurn) {
    case "circuit_open":
      return gatewayFailure("CIRCUIT_OPEN", "the tool's service has been failing; this call was not sent", NEVER_LEFT);
    case "queue_full":
      return gatewayFailure("RATE_LIMITED", "too many calls wait for the tool's service already", NEVER_LEFT);
    case "out_of_time":
      return gatewayFailure("TIMEOUT", "the time was over before the tool's service had a place free", NEVER_LEFT);
    case "cancelled":
      return gatewayFailure("CANCELLED", "the call was cancelled before it was sent", NEVER_LEFT);
  }
}
