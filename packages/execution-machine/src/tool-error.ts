import { ERROR_TABLE, isErrorCode, type SideEffect, type ToolErrorRecord } from "@yagate/protocol";
import type { Failure } from "./call-outcome.ts";
import type { CallState } from "./state.ts";

const UNKNOWN_OUTCOME_HINT = ERROR_TABLE.OUTCOME_UNKNOWN.hint;

/**
 * Creates the error of a call from the failure of its last attempt and the outcomes of earlier ones. The model, the log
 * and the caller read this error.
 */
export function toToolError(call: CallState, failure: Failure): ToolErrorRecord {
  // One attempt that may have taken effect makes the outcome of the call uncertain, even if a later attempt clearly
  // failed.
  const isUncertain = failure.outcome === "unknown" || call.attempts.some((attempt) => attempt.outcome === "unknown");
  const outcome = isUncertain ? "unknown" : "none";
  const hint = isUncertain && !isSafeToRepeat(call.sideEffect) ? UNKNOWN_OUTCOME_HINT : hintOf(failure);
  return {
    code: failure.code,
    message: failure.message,
    ...(hint === undefined ? {} : { hint }),
    retryable: failure.isRetryable && (!isUncertain || isSafeToRepeat(call.sideEffect)),
    outcome,
    source: failure.source,
    toolName: call.name,
    toolCallId: call.id,
    attempts: call.attempts.length,
    ...(failure.details === undefined ? {} : { details: failure.details }),
    ...(failure.developerMessage === undefined ? {} : { developerMessage: failure.developerMessage }),
  };
}

/** Creates a failure that the gateway itself decided on. */
export function gatewayFailure(code: keyof typeof ERROR_TABLE, message: string): Failure {
  return { code, message, source: "gateway", isRetryable: ERROR_TABLE[code].isRetryable, outcome: "none" };
}

function isSafeToRepeat(sideEffect: SideEffect | null): boolean {
  return sideEffect === "read_only" || sideEffect === "idempotent_write";
}

function hintOf(failure: Failure): string | undefined {
  if (failure.hint !== undefined) return failure.hint;
  return failure.source === "gateway" && isErrorCode(failure.code) ? ERROR_TABLE[failure.code].hint : undefined;
}

/** Returns the parts of an error that a model may read, as JSON: everything except the developer's message. */
export function errorText({ code, message, hint, retryable, outcome, details }: ToolErrorRecord): string {
  return JSON.stringify({ error: { code, message, retryable, outcome, hint, details } });
}
