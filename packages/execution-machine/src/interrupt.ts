import { mayRepeatInterrupted, startAttempt } from "./attempt.ts";
import { failCall } from "./end-call.ts";
import { callOf, currentTurn, type EventLog, toTimestamp } from "./event-log.ts";
import { type ExecutionConfig, type MachineEnvironment, traitsOf } from "./execution-config.ts";
import { mayResume } from "./resumption.ts";
import { type CallState, isClosed, isClosing, isWaitingForApproval, runningAttempt, type TurnState } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

// Maximum number of interruptions of a model turn, in case the turn itself crashes the gateway.
const MAX_INTERRUPTED_TURNS = 20;

// Maximum number of interruptions of a turn's calls that run inside the gateway, for the same reason.
const MAX_INTERRUPTED_INLINE = 3;

/**
 * Records that everything that ran under an earlier owner was interrupted, with an outcome that will never be known.
 */
export function interruptAll(log: EventLog, config: ExecutionConfig, environment: MachineEnvironment): void {
  if (log.state.finishedAt !== null) return;
  const turn = currentTurn(log);
  const inline = (turn?.calls ?? []).filter((call) => isRunningInline(call, config));
  // An approved call may run although the execution still has the status `waiting`.
  if (log.state.runningSince === null && inline.length === 0) return;
  const before = log.state.lastSeq;
  if (turn?.phase === "requested") interruptTurn(log, turn);
  for (const call of turn?.calls ?? []) interruptCall(log, call, config, environment);
  // Without an event for the interruption, the time without an owner would count as time spent running.
  if (log.state.lastSeq === before || inline.length > 0) noteRestart(log, mayHaveCalledModel(inline, config));
  if ((currentTurn(log)?.interruptions ?? 0) <= MAX_INTERRUPTED_INLINE) return;
  for (const call of inline) {
    failCall(log, call.id, gatewayFailure("INTERNAL", "the gateway stopped each time this call ran"), config);
  }
}

/** Returns whether the call was running inside the gateway. Such a call simply runs again, because it sent nothing. */
function isRunningInline(call: CallState, config: ExecutionConfig): boolean {
  return !isClosed(call) && !isWaitingForApproval(call) && traitsOf(config, call)?.executor === "inline";
}

function mayHaveCalledModel(inline: readonly CallState[], { tools, model }: ExecutionConfig): boolean {
  return !model.startsWith("scripted/") && inline.some(({ name }) => tools.get(name)?.asksModel === true);
}

function noteRestart(log: EventLog, isCostUnknown: boolean): void {
  if (log.state.finishedAt !== null) return;
  const until = toTimestamp(log.now);
  log.append({
    type: "execution.waiting",
    reason: "restart",
    until,
    isInterruption: true,
    ...(isCostUnknown ? { isCostUnknown } : {}),
  });
}

function interruptTurn(log: EventLog, turn: TurnState): void {
  const error = { code: "MODEL_ERROR", message: "the gateway restarted during the model turn" };
  const mayRepeat = turn.interruptions < MAX_INTERRUPTED_TURNS;
  const retryAt = mayRepeat ? toTimestamp(log.now) : null;
  log.append({ type: "model.failed", turn: turn.number, attempt: turn.attempt, error, retryAt, isInterruption: true });
  if (!mayRepeat) log.append({ type: "execution.failed", error, usage: log.state.usage, cost: log.state.cost });
}

function interruptCall(log: EventLog, call: CallState, config: ExecutionConfig, environment: MachineEnvironment): void {
  const attempt = runningAttempt(call);
  if (attempt === undefined) return;
  const traits = traitsOf(config, call);
  const hasCallback = call.callback !== null;
  const isResumed = mayResume(log, call, traits);
  const mayRepeat =
    !isResumed &&
    !hasCallback &&
    traits !== undefined &&
    mayRepeatInterrupted(traits, call.attempts) &&
    !isClosing(log.state);
  log.append({
    type: "attempt.finished",
    toolCallId: call.id,
    attemptId: attempt.id,
    number: attempt.number,
    durationMs: null,
    timings: null,
    requestBytes: 0,
    responseBytes: 0,
    errorCode: "OUTCOME_UNKNOWN",
    outcome: "unknown",
    isInterruption: true,
    ...(mayRepeat ? { retryAt: toTimestamp(environment.now) } : {}),
  });
  if (isResumed && traits !== undefined) {
    // In the same commit, so that a process of an earlier version never finds the call without a running attempt.
    const owner = { call: callOf(log, call.id), traits, config };
    return startAttempt(log, owner, environment, { isResumption: true });
  }
  if (mayRepeat || hasCallback) return;
  const failure = gatewayFailure("OUTCOME_UNKNOWN", "the gateway stopped while this call was running");
  failCall(log, call.id, { ...failure, outcome: "unknown" }, config);
}
