import type { EgressError } from "@yagate/egress";
import { egressFailure } from "../../calls/egress-failure.ts";
import { gatewayFailure } from "../../calls/failure.ts";
import type { ToolFailure } from "../port.ts";

const NEVER_LEFT = { outcome: "none" } as const;

/** A call that was refused before anything of it left. The message tells the model what to do next. */
export function refused(
  code: Parameters<typeof gatewayFailure>[0],
  message: string,
  more: Partial<Pick<ToolFailure, "hint" | "retryAfterMs" | "isRetryable" | "developerMessage">> = {},
): { readonly failure: ToolFailure } {
  return { failure: gatewayFailure(code, message, { ...NEVER_LEFT, ...more }) };
}

/**
 * What a request that brought no answer means for the call.
 *
 * @param limitMs - how long it could take.
 * @param redact - takes secrets out of what is kept for the developer.
 */
export function networkFailure(error: EgressError, limitMs: number, redact: (text: string) => string): ToolFailure {
  const failure = egressFailure(error, limitMs);
  const developerMessage = redact(error.reason);
  switch (error.code) {
    case "URL_BLOCKED":
      // Whoever wrote the URL learns nothing new from why its text is refused, and can write another one.
      return { ...failure, message: error.message, developerMessage };
    case "INVALID_ARGUMENTS":
      return gatewayFailure("INVALID_ARGUMENTS", error.message, { ...NEVER_LEFT, developerMessage });
    default:
      return { ...failure, message: failure.message.replaceAll("the tool's ", "the "), developerMessage };
  }
}

export const NOT_AS_APPROVED = refused(
  "POLICY_DENIED",
  "what would be sent is not what was approved; nothing was sent",
  {
    hint: "call the tool again if it is still needed: a person then decides on the call as it is now",
  },
);
export const CANCELLED = refused("CANCELLED", "the call was cancelled before it was sent");
export const OUT_OF_TIME = refused("TIMEOUT", "no time was left to call the tool");
export const DEFECT = refused("INTERNAL", "the call failed for a reason inside the gateway");
