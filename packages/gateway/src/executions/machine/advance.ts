import type { ExecutionEvent } from "@yagate/protocol";
import { endDenied, withdrawApproval } from "./approval.ts";
import { dependencyFailure, startableCalls } from "./call-order.ts";
import { CALLBACK_TIMEOUT, callbackFailure } from "./callback.ts";
import { isLongWait } from "./effects.ts";
import { closeAll, endCall, failCall, ownErrorOf, takeCallback, takeFallback } from "./end-call.ts";
import { createEventLog, currentTurn, type EventLog, toTimestamp } from "./event-log.ts";
import type { ExecutionConfig, MachineEnvironment } from "./execution-config.ts";
import type { Command, MachineInput } from "./inputs.ts";
import { interpret, interpretCommand } from "./interpret.ts";
import { exceededLimit, limitHint, usedUpSpend } from "./limits.ts";
import {
  type CallState,
  type ExecutionState,
  hasRunningAttempt,
  isClosed,
  isClosing,
  isWaitingForApproval,
  isWaitingForCallback,
  remainingWallMs,
  type TurnState,
} from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/** The events of one step and the state after them. */
export interface Step {
  readonly events: readonly ExecutionEvent[];
  readonly state: ExecutionState;
}

/**
 * What follows from reports of the outside world, for the owner of the execution. Pure: the same state, inputs and
 * environment always give the same events. A late or repeated report gives none.
 */
export function advance(
  state: ExecutionState,
  inputs: readonly MachineInput[],
  config: ExecutionConfig,
  environment: MachineEnvironment,
): Step {
  const log = createEventLog(state, environment.now);
  for (const input of inputs) interpret(log, input, config, environment);
  settle(log, config, environment);
  return { events: log.events, state: log.state };
}

/**
 * The same for an owner that is about to stop: what happened is written down, and nothing new follows from it, so that
 * whoever goes on finds no attempt that was announced and never sent.
 */
export function record(
  state: ExecutionState,
  inputs: readonly MachineInput[],
  config: ExecutionConfig,
  environment: MachineEnvironment,
): Step {
  const log = createEventLog(state, environment.now);
  for (const input of inputs) interpret(log, input, config, environment);
  return { events: log.events, state: log.state };
}

/** What follows from a command of the API: a note to the owner, who acts on it. No events: too late for it. */
export function command(state: ExecutionState, order: Command, now: number): Step {
  const log = createEventLog(state, now);
  interpretCommand(log, order);
  return { events: log.events, state: log.state };
}

/** Takes every step that needs nothing from outside, until the execution waits for a report or has ended. */
function settle(log: EventLog, config: ExecutionConfig, environment: MachineEnvironment): void {
  let before = -1;
  while (before !== log.state.lastSeq && log.state.finishedAt === null) {
    before = log.state.lastSeq;
    step(log, config, environment);
  }
}

function step(log: EventLog, config: ExecutionConfig, environment: MachineEnvironment): void {
  const { state } = log;
  if (state.isCancelRequested) return cancel(log, environment);
  if (state.status === "queued") {
    const { agentId, agentVersion, limits, input } = config;
    return log.append({ type: "execution.started", agentId, agentVersion, input, limits });
  }
  if (state.limitReached !== null) return stop(log, state.limitReached, environment);
  const exceeded = exceededLimit(state, log.now);
  if (exceeded !== undefined) return log.append({ type: "limit.reached", ...exceeded });
  const turn = currentTurn(log);
  if (turn === undefined) return requestModel(log, config, 1, 1);
  if (turn.phase === "requested") return;
  if (turn.phase === "retrying") {
    if (turn.retryAt === null) return;
    // What failed may have been paid for, too; a pause before a request that may not be sent would be for nothing.
    const spent = usedUpSpend(state);
    if (spent !== undefined) return log.append({ type: "limit.reached", ...spent });
    if (turn.retryAt <= log.now) return requestModel(log, config, turn.number, turn.attempt + 1);
    return waitForModel(log, turn.retryAt);
  }
  if (turn.calls.length === 0) return finish(log, turn);
  const startable = startableCalls(turn, config);
  for (const call of turn.calls) advanceCall(log, call, startable, config, environment);
  // What has ended may let others begin, so it is too early to say that nothing runs.
  if (log.state.lastSeq > state.lastSeq) return;
  if (currentTurn(log)?.calls.every(isClosed)) return requestModel(log, config, turn.number + 1, 1);
  waitIfNothingRuns(log, config);
}

function requestModel(log: EventLog, config: ExecutionConfig, turn: number, attempt: number): void {
  // Results that came in with this step may be what passes a limit; asking the model then would be for nothing.
  if (exceededLimit(log.state, log.now) !== undefined) return;
  const spent = usedUpSpend(log.state);
  if (spent !== undefined) return log.append({ type: "limit.reached", ...spent });
  log.append({ type: "model.requested", turn, attempt, model: config.model });
}

// Otherwise an empty text, which nobody could tell from an answer that was lost.
const WORDS_FOR_SILENCE = {
  refused: "The model refused to answer.",
  truncated: "The model reached its length limit before it said anything.",
  empty: "The model answered nothing.",
} as const;

function finish(log: EventLog, turn: TurnState): void {
  const { usage, cost } = log.state;
  const stopReason = stopReasonOf(turn);
  const isSilent = turn.text.trim() === "";
  const text = isSilent && stopReason !== "final" ? withLastWords(WORDS_FOR_SILENCE[stopReason], log) : turn.text;
  log.append({ type: "execution.completed", stopReason, output: outputOf(text, log), usage, cost });
}

function stopReasonOf({ finishReason, text }: TurnState): "final" | keyof typeof WORDS_FOR_SILENCE {
  if (finishReason === "refused") return "refused";
  if (finishReason === "length") return "truncated";
  return text.trim() === "" ? "empty" : "final";
}

/** Sources of all turns, each once: what an early turn searched for is what a later one answers with. */
function outputOf(text: string, log: EventLog) {
  const sources = new Map(
    log.state.turns.flatMap((turn) => turn.sources.map((source) => [source.url ?? source.title, source] as const)),
  );
  return sources.size === 0 ? { text } : { text, sources: [...sources.values()] };
}

function advanceCall(
  log: EventLog,
  call: CallState,
  startable: ReadonlySet<CallState>,
  config: ExecutionConfig,
  environment: MachineEnvironment,
): void {
  if (isClosed(call) || hasRunningAttempt(call) || takeCallback(log, call, environment)) return;
  if (call.status === "waiting_fallback") return endHold(log, call, environment);
  const missing = call.attempts.length === 0 ? dependencyFailure(log.state, call, config) : undefined;
  if (missing !== undefined) {
    withdrawApproval(log, call);
    return failCall(log, call.id, missing, config);
  }
  if (isWaitingForApproval(call)) return endDenied(log, call);
  const brought = callbackFailure(call);
  if (brought !== undefined) return failCall(log, call.id, brought, config);
  if (isWaitingForCallback(call)) return endWait(log, call, config);
  const traits = config.tools.get(call.name);
  // The agent had it when the call was asked for; a later version of the gateway may bring it no more.
  if (traits === undefined) return failCall(log, call.id, gatewayFailure("UNKNOWN_TOOL", "the tool is gone"), config);
  if (traits.executor !== "attempts" || !startable.has(call)) return;
  if (call.attempts.length > 0 && (call.retryAt === null || call.retryAt > log.now)) return;
  const budgetMs = Math.min(traits.timeoutMs, remainingWallMs(log.state, log.now));
  log.append({
    type: "attempt.started",
    toolCallId: call.id,
    attemptId: environment.newAttemptId(),
    number: call.attempts.length + 1,
    ...traits.targetOf(call.parameters),
    deadline: toTimestamp(log.now + budgetMs),
    ...(traits.isAsync ? { callbackUntil: callbackEnd(log, call, config) } : {}),
  });
}

/** Until when the result may be brought: counted from the first attempt, and the same in all. */
function callbackEnd(log: EventLog, { callbackUntil }: CallState, { callbackExpiryMs }: ExecutionConfig): string {
  return toTimestamp(callbackUntil ?? log.now + callbackExpiryMs);
}

function endWait(log: EventLog, { id, callbackUntil }: CallState, config: ExecutionConfig): void {
  if (callbackUntil !== null && callbackUntil <= log.now) failCall(log, id, CALLBACK_TIMEOUT, config);
}

function endHold(log: EventLog, call: CallState, environment: MachineEnvironment): void {
  if (takeFallback(log, call, environment)) return;
  const isOver = call.fallback === "declined" || (call.fallbackUntil !== null && call.fallbackUntil <= log.now);
  const error = isOver ? ownErrorOf(call) : null;
  if (error !== null) endCall(log, call, error);
}

/** Reads on their way are aborted and writes awaited by the runner; what has not left never does. */
function cancel(log: EventLog, environment: MachineEnvironment): void {
  closeAll(log, gatewayFailure("CANCELLED", "the execution was cancelled before this call finished"), environment);
  if (currentTurn(log)?.calls.every(isClosed) === false) return;
  const { usage, cost } = log.state;
  log.append({ type: "execution.cancelled", usage, cost });
}

function stop(
  log: EventLog,
  reached: { readonly limit: Parameters<typeof stopText>[0]; readonly message: string },
  environment: MachineEnvironment,
): void {
  const failure = gatewayFailure("BUDGET_EXCEEDED", `${reached.message}; this call did not finish`);
  closeAll(log, { ...failure, hint: limitHint(reached.limit) }, environment);
  if (currentTurn(log)?.calls.every(isClosed) === false) return;
  const { usage, cost } = log.state;
  const text = stopText(reached.limit, reached.message, log);
  log.append({ type: "execution.completed", stopReason: reached.limit, output: { text }, usage, cost });
}

function stopText(limit: keyof EventLog["state"]["limits"], message: string, log: EventLog): string {
  return withLastWords(`Stopped before an answer was ready: ${message} (${limit}).`, log);
}

function withLastWords(explanation: string, log: EventLog): string {
  const lastText = log.state.turns.findLast((turn) => turn.text.trim() !== "")?.text;
  return lastText === undefined ? explanation : `${explanation} The model's last words: ${lastText}`;
}

/** A provider that asks for a long pause takes no place from others meanwhile, and no time from the execution. */
function waitForModel(log: EventLog, retryAt: number): void {
  if (log.state.status === "waiting" || !isLongWait(retryAt, log.now)) return;
  log.append({ type: "execution.waiting", reason: "retry", until: toTimestamp(retryAt) });
}

function waitIfNothingRuns(log: EventLog, config: ExecutionConfig): void {
  const open = currentTurn(log)?.calls.filter((call) => !isClosed(call)) ?? [];
  const isIdle = open.every(
    (call) =>
      isWaitingForApproval(call) || (!hasRunningAttempt(call) && config.tools.get(call.name)?.executor === "attempts"),
  );
  if (!isIdle || open.length === 0 || log.state.status === "waiting" || isClosing(log.state)) return;
  const moments = open.flatMap((call) => momentsOf(call).filter((at) => at !== null));
  if (moments.length === 0) return;
  const reason = reasonToWait(open);
  log.append({ type: "execution.waiting", reason, until: toTimestamp(Math.min(...moments)) });
}

function momentsOf(call: CallState): readonly (number | null)[] {
  const { retryAt, fallbackUntil, callbackUntil, approval } = call;
  const approvalEnd = approval?.status === "pending" ? approval.expiresAt : null;
  return [retryAt, fallbackUntil, isWaitingForCallback(call) ? callbackUntil : null, approvalEnd];
}

/** What somebody must answer comes before what only takes time; of two answers the one with the shorter time. */
function reasonToWait(open: readonly CallState[]): "fallback" | "approval" | "callback" | "retry" {
  if (open.some((call) => call.status === "waiting_fallback")) return "fallback";
  if (open.some(isWaitingForApproval)) return "approval";
  return open.some(isWaitingForCallback) ? "callback" : "retry";
}
