import type { ExecutionEvent } from "@yagate/protocol";
import { tellApprovalRequested, tellApprovalResolved } from "./describe-approval.ts";
import {
  tellAttemptFinished,
  tellAttemptStarted,
  tellCompleted,
  tellDenied,
  tellFailed,
  tellFallback,
  tellLate,
  tellRequested,
} from "./describe-call.ts";
import {
  tellCancellation,
  tellCompletion,
  tellFailure,
  tellLimit,
  tellStarted,
  tellWaiting,
} from "./describe-execution.ts";
import { tellModelFailed, tellModelRequested, tellModelResponded } from "./describe-model.ts";
import { tellOther } from "./describe-other.ts";
import type { Teller } from "./event-of.ts";

/** What an event says, in plain words: a sentence or more, on one line. */
export function tellEvent(event: ExecutionEvent, teller: Teller): string {
  switch (event.type) {
    case "execution.started":
      return tellStarted(event, teller);
    case "model.requested":
      return tellModelRequested(event);
    case "model.failed":
      return tellModelFailed(event);
    case "model.responded":
      return tellModelResponded(event);
    case "tool_call.requested":
      return tellRequested(event);
    case "tool_call.denied":
      return tellDenied(event, teller);
    case "approval.requested":
      return tellApprovalRequested(event, teller);
    case "approval.resolved":
      return tellApprovalResolved(event, teller);
    case "attempt.started":
      return tellAttemptStarted(event, teller);
    case "attempt.finished":
      return tellAttemptFinished(event, teller);
    case "tool_call.failed":
      return tellFailed(event, teller);
    case "fallback.received":
      return tellFallback(event, teller);
    case "tool_call.late":
      return tellLate(event, teller);
    case "tool_call.completed":
      return tellCompleted(event, teller);
    case "limit.reached":
      return tellLimit(event);
    case "execution.waiting":
      return tellWaiting(event);
    case "execution.cancel_requested":
      return "A cancellation of the execution was requested.";
    case "execution.completed":
      return tellCompletion(event);
    case "execution.failed":
      return tellFailure(event);
    case "execution.cancelled":
      return tellCancellation(event);
    default:
      return tellOther(event, teller);
  }
}
