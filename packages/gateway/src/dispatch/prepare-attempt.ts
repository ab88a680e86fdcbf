import { YagateError } from "@yagate/protocol";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { gatewayFailure } from "./failure.ts";
import type { AttemptFailure, AttemptRequest } from "./port.ts";
import { hashOfCall } from "./render-call.ts";
import { type SignedCall, signCall } from "./signed-call.ts";

/** An attempt that may be sent. */
export interface PreparedAttempt {
  readonly call: SignedCall;
  /** What signs the answer too. */
  readonly secrets: readonly string[];
  /** From DNS to the last byte of the answer; at least 1. */
  readonly timeoutMs: number;
}

const NEVER_LEFT = { outcome: "none" } as const;

const NOT_AS_APPROVED = gatewayFailure(
  "POLICY_DENIED",
  "what would be sent is not what was approved; nothing was sent",
  {
    ...NEVER_LEFT,
    hint: "call the tool again if it is still needed: somebody is then asked about the call as it is now",
  },
);

/** Signs an attempt, or says why there is none. */
export async function prepareAttempt(
  request: AttemptRequest,
  { signingSecrets, now, onError }: DispatcherOptions,
): Promise<PreparedAttempt | { readonly failure: AttemptFailure }> {
  const { workspaceId, tool, deadline } = request;
  try {
    const secrets = await signingSecrets.forSigning(workspaceId, tool.signingSecret ?? "default");
    if (secrets.length === 0) throw new YagateError("NOT_CONFIGURED", "expected a live signing secret of this name");
    const timestamp = now();
    const timeoutMs = Math.floor(deadline - timestamp);
    if (timeoutMs < 1) return { failure: gatewayFailure("TIMEOUT", "no time was left to call the tool", NEVER_LEFT) };
    const call = await signCall(request, secrets, timestamp);
    return isAsApproved(request, call) ? { call, secrets, timeoutMs } : { failure: NOT_AS_APPROVED };
  } catch (error) {
    return { failure: signingFailure(error, onError) };
  }
}

/** Compared on what is ready to leave, so that nothing can come between the comparison and the sending. */
function isAsApproved(request: AttemptRequest, call: SignedCall): boolean {
  return request.approvedHash === undefined || request.approvedHash === hashOfCall(request, call);
}

function signingFailure(error: unknown, onError: DispatcherOptions["onError"]): AttemptFailure {
  const code = YagateError.is(error) ? error.code : undefined;
  switch (code) {
    case "NOT_FOUND":
    case "NOT_CONFIGURED":
      return gatewayFailure("NOT_CONFIGURED", "the tool's signing secret does not exist", NEVER_LEFT);
    case "BODY_TOO_LARGE":
      return gatewayFailure("INVALID_ARGUMENTS", "the arguments are too large to be sent: at most 1 MiB", {
        ...NEVER_LEFT,
        // The same arguments would be as large the next time.
        isRetryable: false,
      });
    default:
      onError?.(error);
      return gatewayFailure("INTERNAL", "the call could not be signed for a reason inside the gateway", {
        ...NEVER_LEFT,
        ...(code === undefined ? {} : { developerMessage: code }),
      });
  }
}
