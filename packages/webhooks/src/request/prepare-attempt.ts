import { NOT_AS_APPROVED, OUT_OF_TIME, unsentFailure } from "@yagate/calls/failure";
import type { CallbackTimes, ToolCall } from "@yagate/calls/port";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import { YagateError } from "@yagate/protocol";
import type { CallbackTicket, DispatcherOptions } from "../dispatcher-options.ts";
import type { AddedHeaders, Attempt, OpenedHeaders } from "../port.ts";
import { hashOfCall } from "./render-call.ts";
import { type SignedCall, signCall } from "./signed-call.ts";

/** An attempt that may be sent. */
export interface PreparedAttempt {
  readonly signed: SignedCall;
  /** The signing secrets, with which the handler signs the response too. */
  readonly secrets: readonly string[];
  /** Values that must not be stored with a response. */
  readonly valuesToRedact: readonly string[];
  /** Removes the secrets of the call's headers from a response; undefined if the headers contain none. */
  readonly redaction: Redaction | undefined;
  /** Time limit in ms from the DNS lookup to the last byte of the response; at least 1. */
  readonly timeoutMs: number;
}

const NO_ADDRESS = unsentFailure(
  "NOT_CONFIGURED",
  "the tool delivers its result by callback, and the gateway has no address for callbacks",
  {
    developerMessage: "set YAGATE_PUBLIC_URL to the address at which handlers reach this gateway",
  },
);

/**
 * Signs an attempt, or returns the reason why it can't be sent.
 *
 * @param onDefect - logs an error in the gateway itself.
 */
export async function prepareAttempt(
  attempt: Attempt,
  options: Pick<DispatcherOptions, "signingSecrets" | "callbacks" | "now" | "isTraceRecorded">,
  onDefect: (error: unknown) => void,
): Promise<PreparedAttempt | { readonly failure: Failure }> {
  const { signingSecrets, now, isTraceRecorded } = options;
  const { call, webhook, context } = attempt;
  try {
    const found = signingSecrets.forSigning(call.workspaceId, webhook.tool.signingSecret ?? "default");
    const secrets = found instanceof Promise ? await found : found;
    if (secrets.length === 0) throw new YagateError("NOT_CONFIGURED", "expected a live signing secret with this name");
    const { addedHeaders } = webhook;
    const added = addedHeaders === undefined ? undefined : await openHeaders(call, addedHeaders, onDefect);
    if (added !== undefined && "failure" in added) return added;
    const ticket = context.callback === undefined ? undefined : await ticketOf(attempt, context.callback, options);
    const timestamp = now();
    const timeoutMs = Math.floor(context.deadline - timestamp);
    if (timeoutMs < 1) return { failure: OUT_OF_TIME };
    if (ticket === undefined && context.callback !== undefined) return { failure: NO_ADDRESS };
    const signing = { secrets, timestamp, ticket, added, isTraceRecorded: isTraceRecorded?.() };
    const built = signCall(attempt, signing);
    const signed = built instanceof Promise ? await built : built;
    const { approvedHash } = context;
    // The comparison uses the signed call that is about to be sent, so that nothing can change in between.
    if (approvedHash !== undefined && approvedHash !== hashOfCall(webhook, signed)) return { failure: NOT_AS_APPROVED };
    const valuesToRedact = ticket === undefined ? secrets : [...secrets, ticket.token];
    return { signed, secrets, valuesToRedact, redaction: added?.redaction, timeoutMs };
  } catch (error) {
    return { failure: signingFailure(error, () => onDefect(error)) };
  }
}

async function openHeaders(
  { workspaceId }: ToolCall,
  addedHeaders: AddedHeaders,
  onDefect: (error: unknown) => void,
): Promise<OpenedHeaders | { readonly failure: Failure }> {
  try {
    return await addedHeaders.open(workspaceId);
  } catch (error) {
    onDefect(error);
    return { failure: unsentFailure("INTERNAL", "the secrets in the tool's headers could not be decrypted") };
  }
}

async function ticketOf(
  { call: { workspaceId, executionId, toolCallId }, context: { deadline } }: Attempt,
  callback: CallbackTimes,
  { callbacks }: Pick<DispatcherOptions, "callbacks">,
): Promise<CallbackTicket | undefined> {
  return callbacks?.issue({ workspaceId, executionId, toolCallId, knownBy: deadline }, callback);
}

function signingFailure(error: unknown, onDefect: () => void): Failure {
  const code = YagateError.is(error) ? error.code : undefined;
  switch (code) {
    case "NOT_FOUND":
    case "NOT_CONFIGURED":
      return unsentFailure("NOT_CONFIGURED", "the tool's signing secret does not exist");
    case "BODY_TOO_LARGE":
      // The same arguments would be too large again.
      return unsentFailure("INVALID_ARGUMENTS", "the arguments are too large: a call may be at most 1 MiB", {
        isRetryable: false,
      });
    default:
      onDefect();
      return unsentFailure(
        "INTERNAL",
        "the call could not be signed because of an internal error of the gateway",
        defined({ developerMessage: code }),
      );
  }
}
