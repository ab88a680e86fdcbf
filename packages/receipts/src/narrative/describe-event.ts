import type { ExecutionEvent } from "@yagate/protocol";
import { describeApprovalRequested, describeApprovalResolved } from "./describe-approval.ts";
import {
  describeAttemptFinished,
  describeAttemptStarted,
  describeCompleted,
  describeDenied,
  describeFailed,
  describeFallback,
  describeLate,
  describeRequested,
} from "./describe-call.ts";
import {
  describeCancellation,
  describeCompletion,
  describeFailure,
  describeLimit,
  describeRoute,
  describeRouteChanged,
  describeStarted,
  describeToolsLoaded,
  describeWaiting,
} from "./describe-execution.ts";
import {
  describeInputDelivered,
  describeInputReceived,
  describeInputRequested,
  describeInputWithdrawn,
  describeTaskCreated,
} from "./describe-input.ts";
import { describeModelFailed, describeModelRequested, describeModelResponded } from "./describe-model.ts";
import { describeOther } from "./describe-other.ts";
import type { NarrativeContext } from "./event-of.ts";

/** Describes an event in one or more sentences on one line. */
export function describeEvent(event: ExecutionEvent, context: NarrativeContext): string {
  switch (event.type) {
    case "execution.started":
      return describeStarted(event, context);
    case "route.decided":
      return describeRoute(event);
    case "route.changed":
      return describeRouteChanged(event, context);
    case "model.requested":
      return describeModelRequested(event);
    case "model.failed":
      return describeModelFailed(event);
    case "model.responded":
      return describeModelResponded(event);
    case "tool_call.requested":
      return describeRequested(event);
    case "tool_call.denied":
      return describeDenied(event, context);
    case "approval.requested":
      return describeApprovalRequested(event, context);
    case "approval.resolved":
      return describeApprovalResolved(event, context);
    case "input.requested":
      return describeInputRequested(event, context);
    case "input.received":
      return describeInputReceived(event, context);
    case "input.withdrawn":
      return describeInputWithdrawn(event, context);
    case "input.delivered":
      return describeInputDelivered(event, context);
    case "task.created":
      return describeTaskCreated(event, context);
    case "attempt.started":
      return describeAttemptStarted(event, context);
    case "attempt.resumable":
      return `The response to attempt ${event.number} of ${context.nameOf(event.toolCallId)} can be read by another process.`;
    case "attempt.finished":
      return describeAttemptFinished(event, context);
    case "tool_call.failed":
      return describeFailed(event, context);
    case "fallback.received":
      return describeFallback(event, context);
    case "tool_call.late":
      return describeLate(event, context);
    case "tool_call.completed":
      return describeCompleted(event, context);
    case "tools.loaded":
      return describeToolsLoaded(event, context);
    case "citations.requested":
      return `The answer of model turn ${event.turn} cited nothing that the execution had found, so the model was asked once more.`;
    case "limit.reached":
      return describeLimit(event);
    case "execution.waiting":
      return describeWaiting(event);
    case "execution.cancel_requested":
      return "A cancellation of the execution was requested.";
    case "execution.completed":
      return describeCompletion(event);
    case "execution.failed":
      return describeFailure(event);
    case "execution.cancelled":
      return describeCancellation(event);
    default:
      return describeOther(event, context);
  }
}
