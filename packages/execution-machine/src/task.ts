import type { CreatedTask } from "./call-outcome.ts";
import { closingFailure, completeCall, endCall, failCall, withUnknownOutcome } from "./end-call.ts";
import { currentTurn, type EventLog, toTimestamp } from "./event-log.ts";
import type { ExecutionConfig, MachineEnvironment } from "./execution-config.ts";
import { INPUT_EXPIRED, requestInput, withdrawInput } from "./input.ts";
import type { MachineInput } from "./inputs.ts";
import { type CallState, isClosing, isWaitingForInput } from "./state.ts";
import { isWaitingForTask } from "./task-state.ts";
import { toToolError } from "./tool-error.ts";

/** Records that a server continues a call as a task, even if the execution is ending: the task must then be cancelled. */
export function recordCreatedTask(
  log: EventLog,
  call: CallState,
  { id, ttlMs, pollIntervalMs }: CreatedTask,
  { callbackExpiryMs }: ExecutionConfig,
): void {
  log.append({
    type: "task.created",
    toolCallId: call.id,
    taskId: id,
    ttlMs,
    pollIntervalMs,
    expiresAt: toTimestamp(log.now + callbackExpiryMs),
  });
}

/**
 * Records what a request about a task tells. A task that ends although a person is being asked needs no answer, so its
 * questions are withdrawn. Does nothing if the call no longer waits for its task.
 */
export function recordTask(
  log: EventLog,
  { toolCallId, outcome }: Extract<MachineInput, { type: "task_reported" }>,
  config: ExecutionConfig,
  environment: Pick<MachineEnvironment, "project">,
): void {
  const call = currentTurn(log)?.calls.find(({ id }) => id === toolCallId);
  if (call === undefined || call.task === null) return;
  const isAsking = isWaitingForInput(call);
  if (!isAsking && !isWaitingForTask(call)) return;
  if (isAsking && !("result" in outcome) && !("failure" in outcome)) return;
  withdrawInput(log, call, "cancelled");
  if ("result" in outcome) {
    return completeCall(log, call, { result: outcome.result, cost: call.cost }, environment);
  }
  if ("failure" in outcome) return failCall(log, toolCallId, outcome.failure, config);
  if ("isCancelled" in outcome) return endCancelled(log, call, config);
  if ("questions" in outcome) {
    const asked = new Set(call.task.askedKeys);
    const questions = outcome.questions.filter(({ key }) => !asked.has(key));
    if (questions.length > 0) requestInput(log, call, { questions }, config);
    return;
  }
  const { deliveredRound: round } = outcome;
  if (call.input?.round !== round || round <= call.task.deliveredRound) return;
  log.append({ type: "input.delivered", toolCallId, round });
}

/** Ends a call whose task the server was asked to cancel. The server decides whether it does, so the outcome is unknown. */
function endCancelled(log: EventLog, call: CallState, config: ExecutionConfig): void {
  if (isClosing(log.state)) {
    return endCall(log, call, toToolError(call, withUnknownOutcome(closingFailure(log.state))));
  }
  if (call.input?.status === "expired") failCall(log, call.id, withUnknownOutcome(INPUT_EXPIRED), config);
}
