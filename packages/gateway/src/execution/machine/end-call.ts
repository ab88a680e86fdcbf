import type { ToolErrorRecord } from "@yagate/protocol";
import { endRefused, withdrawApproval } from "./approval.ts";
import { callbackFailure, isWaitingForCallback, takeCallback } from "./callback.ts";
import { addCosts, isFree, NO_COST } from "./cost.ts";
import { callOf, currentTurn, isClosing } from "./current-turn.ts";
import { type EventLog, toTimestamp } from "./event-log.ts";
import { mayFallBack } from "./fallback.ts";
import type { Failure } from "./inputs.ts";
import type { Plan } from "./plan.ts";
import { type CallState, isClosed, runningAttempt } from "./state.ts";
import { toToolError } from "./tool-error.ts";

/** Ends a call with its error, for good. */
export function endCall(log: EventLog, { id, cost }: CallState, error: ToolErrorRecord): void {
  log.append({ type: "tool_call.failed", toolCallId: id, error, ...(isFree(cost) ? {} : { cost }) });
}

/** Ends a held call with the result that its caller gave, if there is one. */
export function takeFallback(log: EventLog, { id, cost, fallback }: CallState): boolean {
  if (fallback === null || fallback === "declined") return false;
  log.append({ type: "tool_call.completed", toolCallId: id, result: fallback.result, via: "fallback", cost });
  return true;
}

/** Ends a call with an error, or holds it for the caller's answer. */
export function failCall(log: EventLog, toolCallId: string, failure: Failure, plan: Plan, cost = NO_COST): void {
  const call = callOf(log, toolCallId);
  const error = toToolError(call, failure);
  const mayHold = !isClosing(log) && mayFallBack(log.state, call, error, plan);
  if (!mayHold || plan.fallbackWaitMs === null)
    return endCall(log, { ...call, cost: addCosts(call.cost, cost) }, error);
  const fallbackUntil = toTimestamp(log.now + plan.fallbackWaitMs);
  log.append({ type: "tool_call.failed", toolCallId, error, fallbackUntil });
}

/** Ends every call that has no answer yet and nothing on its way. */
export function closeAll(log: EventLog, failure: Failure): void {
  for (const call of currentTurn(log)?.calls ?? []) {
    if (isClosed(call) || runningAttempt(call) !== undefined) continue;
    // Whoever brought it was told that it counts.
    if (takeCallback(log, call) || takeFallback(log, call)) continue;
    if (call.approval?.status === "denied") {
      endRefused(log, call);
      continue;
    }
    withdrawApproval(log, call);
    endCall(log, call, ownErrorOf(call) ?? toToolError(call, isWaitingForCallback(call) ? atWork(failure) : failure));
  }
}

/** What of a call's own failed it, if that is known already: that is what the record keeps. */
export function ownErrorOf(call: CallState): ToolErrorRecord | null {
  const brought = callbackFailure(call);
  if (brought !== undefined) return toToolError(call, brought);
  return call.status === "waiting_fallback" ? call.error : null;
}

/** The same failure of a call that its handler has begun and may finish. */
function atWork(failure: Failure): Failure {
  return { ...failure, outcome: "unknown" };
}
