import { YagateError } from "@yagate/protocol";
import type { CallbackTicket, DispatcherOptions } from "./dispatcher-options.ts";
import { gatewayFailure } from "./failure.ts";
import type { AttemptFailure, AttemptRequest } from "./port.ts";
import { hashOfCall } from "./render-call.ts";
import { type SignedCall, signCall } from "./signed-call.ts";

/** An attempt that may be sent. */
export interface PreparedAttempt {
  readonly call: SignedCall;
  /** What signs the answer too. */
  readonly secrets: readonly string[];
  /** What must not be kept of an answer. */
  readonly hidden: readonly string[];
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

const NO_ADDRESS = gatewayFailure(
  "NOT_CONFIGURED",
  "the tool answers later, and the gateway has no address to answer to",
  { ...NEVER_LEFT, developerMessage: "set YAGATE_PUBLIC_URL to the address that handlers reach this gateway by" },
);

/** Signs an attempt, or says why there is none. */
export async function prepareAttempt(
  request: AttemptRequest,
  options: DispatcherOptions,
): Promise<PreparedAttempt | { readonly failure: AttemptFailure }> {
  const { signingSecrets, now, onError } = options;
  const { workspaceId, tool, deadline } = request;
  try {
    const secrets = await signingSecrets.forSigning(workspaceId, tool.signingSecret ?? "default");
    if (secrets.length === 0) throw new YagateError("NOT_CONFIGURED", "expected a live signing secret of this name");
    const ticket = await ticketOf(request, options);
    const timestamp = now();
    const timeoutMs = Math.floor(deadline - timestamp);
    if (timeoutMs < 1) return { failure: gatewayFailure("TIMEOUT", "no time was left to call the tool", NEVER_LEFT) };
    if (ticket === undefined && request.callback !== undefined) return { failure: NO_ADDRESS };
    const call = await signCall(request, secrets, timestamp, ticket);
    const hidden = ticket === undefined ? secrets : [...secrets, ticket.token];
    return isAsApproved(request, call) ? { call, secrets, hidden, timeoutMs } : { failure: NOT_AS_APPROVED };
  } catch (error) {
    return { failure: signingFailure(error, onError) };
  }
}

async function ticketOf(
  { workspaceId, executionId, toolCallId, callback, deadline }: AttemptRequest,
  { callbacks }: DispatcherOptions,
): Promise<CallbackTicket | undefined> {
  if (callback === undefined) return undefined;
  return callbacks?.issue({ workspaceId, executionId, toolCallId, knownBy: deadline }, callback);
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
