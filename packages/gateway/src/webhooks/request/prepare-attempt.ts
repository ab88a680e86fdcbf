import type { Redaction } from "@yagate/lib/redaction/redaction";
import { YagateError } from "@yagate/protocol";
import { gatewayFailure } from "../../calls/failure.ts";
import type { CallbackTicket, DefectiveCall, DispatcherOptions } from "../dispatcher-options.ts";
import type { AttemptFailure, AttemptRequest, OpenedHeaders } from "../port.ts";
import { hashOfCall } from "./render-call.ts";
import { type SignedCall, signCall } from "./signed-call.ts";

/** An attempt that may be sent. */
export interface PreparedAttempt {
  readonly call: SignedCall;
  /** What signs the answer too. */
  readonly secrets: readonly string[];
  /** What must not be kept of an answer. */
  readonly valuesToRedact: readonly string[];
  /** Takes the secrets of its headers out of an answer; undefined: they hold none. */
  readonly redaction: Redaction | undefined;
  /** From DNS to the last byte of the answer; at least 1. */
  readonly timeoutMs: number;
}

const NEVER_LEFT = { outcome: "none" } as const;

const NOT_AS_APPROVED = gatewayFailure(
  "POLICY_DENIED",
  "what would be sent is not what was approved; nothing was sent",
  {
    ...NEVER_LEFT,
    hint: "call the tool again if it is still needed: a person then decides on the call as it is now",
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
    const added = await openHeaders(request, options);
    if (added !== undefined && "failure" in added) return added;
    const ticket = await ticketOf(request, options);
    const timestamp = now();
    const timeoutMs = Math.floor(deadline - timestamp);
    if (timeoutMs < 1) return { failure: gatewayFailure("TIMEOUT", "no time was left to call the tool", NEVER_LEFT) };
    if (ticket === undefined && request.callback !== undefined) return { failure: NO_ADDRESS };
    const isTraceRecorded = options.isTraceRecorded?.();
    const call = await signCall(request, secrets, timestamp, { ticket, isTraceRecorded, added });
    const valuesToRedact = ticket === undefined ? secrets : [...secrets, ticket.token];
    if (!isAsApproved(request, call)) return { failure: NOT_AS_APPROVED };
    return { call, secrets, valuesToRedact, redaction: added?.redaction, timeoutMs };
  } catch (error) {
    return { failure: signingFailure(error, () => onError?.(error, callOf(request))) };
  }
}

async function openHeaders(
  request: AttemptRequest,
  { onError }: DispatcherOptions,
): Promise<OpenedHeaders | { readonly failure: AttemptFailure } | undefined> {
  try {
    return await request.addedHeaders?.open(request.workspaceId);
  } catch (error) {
    onError?.(error, callOf(request));
    return { failure: gatewayFailure("INTERNAL", "the secrets of the tool's headers could not be opened", NEVER_LEFT) };
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

/** What the log says of a call. */
export function callOf({ executionId, toolCallId }: AttemptRequest): DefectiveCall {
  return { executionId, toolCallId };
}

function signingFailure(error: unknown, onDefect: () => void): AttemptFailure {
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
      onDefect();
      return gatewayFailure("INTERNAL", "the call could not be signed for a reason inside the gateway", {
        ...NEVER_LEFT,
        ...(code === undefined ? {} : { developerMessage: code }),
      });
  }
}
