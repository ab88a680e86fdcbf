import {
  type Cost,
  ERROR_TABLE,
  isErrorCode,
  type JsonValue,
  type ModelCall,
  type ToolErrorRecord,
  type Via,
} from "@yagate/protocol";
import { endDenied, withdrawApproval } from "./approval.ts";
import type { Failure } from "./call-outcome.ts";
import { callbackFailure } from "./callback.ts";
import { addCosts, costOfModelCalls, isFree, NO_COST } from "./cost.ts";
import { callOf, currentTurn, type EventLog, toTimestamp } from "./event-log.ts";
import { type ExecutionConfig, type MachineEnvironment, traitsOf } from "./execution-config.ts";
import { moveToNextCapability } from "./failover.ts";
import { withdrawInput } from "./input.ts";
import { limitHint } from "./limits.ts";
import { resultCharacters } from "./result-tokens.ts";
import {
  type CallState,
  type ExecutionState,
  isClosed,
  isClosing,
  isWaitingForCallback,
  runningAttempt,
} from "./state.ts";
import { hasOpenTask } from "./task-state.ts";
import { gatewayFailure, toToolError } from "./tool-error.ts";

/**
 * Ends a call with an error that is final.
 *
 * @param modelCalls - the model calls that its tool made. Their cost is not yet included in the cost of the call.
 */
export function endCall(
  log: EventLog,
  call: CallState,
  error: ToolErrorRecord,
  modelCalls: readonly ModelCall[] = [],
): void {
  const cost = addCosts(call.cost, costOfModelCalls(modelCalls));
  log.append({
    type: "tool_call.failed",
    toolCallId: call.id,
    error,
    ...(isFree(cost) ? {} : { cost }),
    ...(modelCalls.length === 0 ? {} : { modelCalls: [...modelCalls] }),
  });
}

/** Ends a call with the result of its callback if there is one. Returns whether it did. */
export function takeCallback(
  log: EventLog,
  call: CallState,
  environment: Pick<MachineEnvironment, "project">,
): boolean {
  const { cost, callback } = call;
  if (callback === null || callback.isTaken || !("result" in callback.outcome)) return false;
  completeCall(log, call, { result: callback.outcome.result, via: "callback", cost }, environment);
  return true;
}

/** Ends a held call with the caller's fallback if there is one. Returns whether it did. */
export function takeFallback(
  log: EventLog,
  call: CallState,
  environment: Pick<MachineEnvironment, "project">,
): boolean {
  const { cost, fallback } = call;
  if (fallback === null || fallback === "declined") return false;
  completeCall(log, call, { result: fallback.result, via: "fallback", cost }, environment);
  return true;
}

/** The cost of a call in addition to that of its attempts, and the model calls that caused it. */
interface Spending {
  readonly cost?: Cost;
  readonly modelCalls?: readonly ModelCall[];
}

/** Ends a call with an error, moves it to another capability, or holds it for a fallback from the caller. */
export function failCall(
  log: EventLog,
  toolCallId: string,
  failure: Failure,
  config: ExecutionConfig,
  { cost = NO_COST, modelCalls = [] }: Spending = {},
): void {
  const call = callOf(log, toolCallId);
  if (modelCalls.length === 0 && moveToNextCapability(log, call, failure, { config, cost })) return;
  const error = toToolError(call, failure);
  const mayHold = !isClosing(log.state) && mayFallBack(log.state, call, error, config);
  if (!mayHold || config.fallbackWaitMs === null)
    return endCall(log, { ...call, cost: addCosts(call.cost, cost) }, error, modelCalls);
  const fallbackUntil = toTimestamp(log.now + config.fallbackWaitMs);
  log.append({ type: "tool_call.failed", toolCallId, error, fallbackUntil });
}

/**
 * Ends every open call that has no running attempt. A call that runs inside the gateway is interrupted, and the model
 * calls that it has made so far are charged.
 */
export function closeAll(
  log: EventLog,
  failure: Failure,
  environment: Pick<MachineEnvironment, "modelCallsOf" | "project">,
): void {
  for (const call of currentTurn(log)?.calls ?? []) {
    if (isClosed(call) || runningAttempt(call) !== undefined) continue;
    if (hasOpenTask(call)) {
      // The call ends once the server was asked to cancel the task.
      withdrawInput(log, call, "cancelled");
      continue;
    }
    // The gateway has already accepted this result.
    if (takeCallback(log, call, environment) || takeFallback(log, call, environment)) continue;
    if (call.approval?.status === "denied") {
      endDenied(log, call);
      continue;
    }
    withdrawApproval(log, call);
    withdrawInput(log, call, "cancelled");
    const error =
      ownErrorOf(call) ?? toToolError(call, isWaitingForCallback(call) ? withUnknownOutcome(failure) : failure);
    endCall(log, call, error, environment.modelCallsOf?.(call.id));
  }
}

/** Describes why the calls of an execution that is being cancelled, or has reached a limit, do not finish. */
export function closingFailure({ limitReached, isCancelRequested }: ExecutionState): Failure {
  if (limitReached === null || isCancelRequested) {
    return gatewayFailure("CANCELLED", "the execution was cancelled before this call finished");
  }
  const failure = gatewayFailure("BUDGET_EXCEEDED", `${limitReached.message}; this call did not finish`);
  return { ...failure, hint: limitHint(limitReached.limit) };
}

/** Returns the error that the call already has, if any, so that the record keeps it. */
export function ownErrorOf(call: CallState): ToolErrorRecord | null {
  const failure = callbackFailure(call);
  if (failure !== undefined) return toToolError(call, failure);
  return call.status === "waiting_fallback" ? call.error : null;
}

/** Returns the failure with an unknown outcome, for a call that its handler has started and may still finish. */
export function withUnknownOutcome(failure: Failure): Failure {
  return { ...failure, outcome: "unknown" };
}

/** Ends a call with its result, and records how many characters of the result the model will read. */
export function completeCall(
  log: EventLog,
  call: CallState,
  ending: {
    readonly result: JsonValue;
    readonly cost: Cost;
    readonly via?: Via;
    readonly modelCalls?: readonly ModelCall[];
  },
  { project }: Pick<MachineEnvironment, "project">,
): void {
  const { result, cost, via, modelCalls = [] } = ending;
  const { id: toolCallId, projection } = call;
  log.append({
    type: "tool_call.completed",
    toolCallId,
    result,
    ...(via === undefined ? {} : { via }),
    cost,
    ...(projection === undefined || project === undefined
      ? {}
      : { readCharacters: resultCharacters(project(result, projection), call) }),
    ...(modelCalls.length === 0 ? {} : { modelCalls: [...modelCalls] }),
  });
}

/** Returns whether the caller may supply a fallback for this failed call. */
function mayFallBack(state: ExecutionState, call: CallState, error: ToolErrorRecord, config: ExecutionConfig): boolean {
  if (config.fallbackWaitMs === null || state.isFallbackExhausted) return false;
  if (traitsOf(config, call)?.executor !== "attempts") return false;
  return error.source === "handler" || !isErrorCode(error.code) || !ERROR_TABLE[error.code].isDecision;
}
