import { defined } from "@yagate/lib/objects/defined";
import type { ExecutionEvent, RouteDecision } from "@yagate/protocol";
import { endDenied, withdrawApproval } from "./approval.ts";
import { startAttempt } from "./attempt.ts";
import { dependencyFailure, startableCalls } from "./call-order.ts";
import { CALLBACK_TIMEOUT, callbackFailure } from "./callback.ts";
import { checkCitations, citationRequest } from "./citations/check-citations.ts";
import { callMoments, isHeldBack, isLongWait, taskEndsOf } from "./effects.ts";
import { closeAll, closingFailure, endCall, failCall, ownErrorOf, takeCallback, takeFallback } from "./end-call.ts";
import { currentTurn, EventLog, toTimestamp } from "./event-log.ts";
import { type ExecutionConfig, type MachineEnvironment, traitsOf } from "./execution-config.ts";
import { INPUT_EXPIRED, withdrawInput } from "./input.ts";
import type { Command, MachineInput } from "./inputs.ts";
import { failExecution, interpret, interpretCommand } from "./interpret.ts";
import { exceededLimit, usedUpSpend } from "./limits.ts";
import {
  type CallState,
  type ExecutionState,
  hasRunningAttempt,
  isClosed,
  isClosing,
  isWaitingForApproval,
  isWaitingForCallback,
  isWaitingForInput,
  type TurnState,
} from "./state.ts";
import { hasOpenTask, isWaitingForTask } from "./task-state.ts";
import { gatewayFailure } from "./tool-error.ts";

/** The events of one step, and the state after them. */
export interface Step {
  readonly events: readonly ExecutionEvent[];
  readonly state: ExecutionState;
}

/**
 * Returns the events that follow from the inputs, for the owner of the execution. Pure: the same state, inputs,
 * configuration and environment always give the same events. A late or repeated input causes no event.
 */
export function advance(
  state: ExecutionState,
  inputs: readonly MachineInput[],
  config: ExecutionConfig,
  environment: MachineEnvironment,
): Step {
  const log = new EventLog(state, environment.now);
  for (const input of inputs) interpret(log, input, config, environment);
  settle(log, config, environment);
  return { events: log.events, state: log.state };
}

/**
 * Records inputs like `advance`, but starts nothing new. An owner that drains calls this instead, so that the next
 * owner finds no attempt in the log that was never sent.
 */
export function record(
  state: ExecutionState,
  inputs: readonly MachineInput[],
  config: ExecutionConfig,
  environment: MachineEnvironment,
): Step {
  const log = new EventLog(state, environment.now);
  for (const input of inputs) interpret(log, input, config, environment);
  return { events: log.events, state: log.state };
}

/**
 * Returns the events that record a command from the API. The owner of the execution then acts on them. There are no
 * events if the command came too late.
 */
export function command(state: ExecutionState, order: Command, now: number): Step {
  const log = new EventLog(state, now);
  interpretCommand(log, order);
  return { events: log.events, state: log.state };
}

/** Takes every step that needs no input, until the execution waits for an input or has ended. */
function settle(log: EventLog, config: ExecutionConfig, environment: MachineEnvironment): void {
  let before = -1;
  while (before !== log.state.lastSeq && log.state.finishedAt === null) {
    before = log.state.lastSeq;
    step(log, config, environment);
  }
}

function step(log: EventLog, config: ExecutionConfig, environment: MachineEnvironment): void {
  const { state } = log;
  const { lastSeq } = state;
  if (state.isCancelRequested) return cancel(log, environment);
  if (state.status === "queued") {
    const { agentId, agentVersion, limits, input, sourceTools = [], heldTools, toolSearch, mode, replayOf } = config;
    const optional = {
      ...(sourceTools.length === 0 ? {} : { sourceTools: [...sourceTools] }),
      ...defined({ heldTools, toolSearch, mode, replayOf }),
    };
    return log.append({ type: "execution.started", agentId, agentVersion, input, limits, ...optional });
  }
  if (state.limitReached !== null) return stop(log, state.limitReached, environment);
  const exceeded = exceededLimit(state, log.now);
  if (exceeded !== undefined) return log.append({ type: "limit.reached", ...exceeded });
  const turn = currentTurn(log);
  if (turn === undefined) return requestModel(log, config, environment, { number: 1, attempt: 1 });
  if (turn.phase === "requested") return;
  if (turn.phase === "retrying") {
    if (turn.retryAt === null) return;
    // A failed request may have a cost too. If the cost uses up a limit, the retry can't be sent, so waiting for it is
    // pointless.
    const spent = usedUpSpend(state);
    if (spent !== undefined) return log.append({ type: "limit.reached", ...spent });
    const { number, attempt } = turn;
    if (turn.retryAt <= log.now) return requestModel(log, config, environment, { number, attempt: attempt + 1 });
    return waitForModel(log, turn.retryAt);
  }
  if (turn.calls.length === 0) return finish(log, turn, config, environment);
  const startable = startableCalls(turn, config);
  for (const call of turn.calls) advanceCall(log, call, startable, config, environment);
  // An ended call may allow others to start, so it is too early to conclude that nothing runs.
  if (log.state.lastSeq > lastSeq) return;
  if (currentTurn(log)?.calls.every(isClosed)) {
    return requestModel(log, config, environment, { number: turn.number + 1, attempt: 1 });
  }
  waitIfNothingRuns(log, config);
}

function requestModel(
  log: EventLog,
  config: ExecutionConfig,
  environment: MachineEnvironment,
  { number: turn, attempt }: { readonly number: number; readonly attempt: number },
): void {
  // The results of this step may exceed a limit, in which case the model turn would be wasted.
  if (exceededLimit(log.state, log.now) !== undefined) return;
  const spent = usedUpSpend(log.state);
  if (spent !== undefined) return log.append({ type: "limit.reached", ...spent });
  if (attempt === 1 && !decideRoute(log, turn, environment)) return;
  const isRecorded = turn <= (config.recorded?.lastReplyTurn ?? 0);
  log.append({ type: "model.requested", turn, attempt, model: config.model, ...(isRecorded ? { isRecorded } : {}) });
}

/**
 * Records which capabilities serve the agent's intents in a model turn, if that has changed. Returns false if the
 * execution has failed, because no capability serves a required intent.
 */
function decideRoute(log: EventLog, turn: number, environment: MachineEnvironment): boolean {
  const route = environment.decideRoute?.(log.state, turn);
  if (route === undefined) return true;
  const { decision, unserved } = route;
  if (!isSameRoute(log.state.route, decision)) log.append({ type: "route.decided", ...decision });
  if (unserved.length === 0) return true;
  const message = `no capability can serve the required ${unserved.length === 1 ? "intent" : "intents"} ${unserved.join(", ")}`;
  failExecution(log, { code: "NO_ROUTE", message }, environment);
  return false;
}

/** Checks whether a decision differs from the one before in nothing but the number of its turn. */
function isSameRoute(before: RouteDecision | null, { turn: _turn, ...after }: RouteDecision): boolean {
  if (before === null) return false;
  const { turn: _before, ...rest } = before;
  return JSON.stringify(rest) === JSON.stringify(after);
}

// An empty text would look like a lost reply.
const TEXT_FOR_EMPTY_REPLY = {
  refused: "The model refused to answer.",
  truncated: "The model reached its length limit before it produced any text.",
  empty: "The model returned an empty reply.",
} as const;

function finish(log: EventLog, turn: TurnState, config: ExecutionConfig, environment: MachineEnvironment): void {
  const { usage, cost } = log.state;
  const stopReason = stopReasonOf(turn);
  const isEmpty = turn.text.trim() === "";
  const text = isEmpty && stopReason !== "final" ? withLastText(TEXT_FOR_EMPTY_REPLY[stopReason], log) : turn.text;
  const output = outputOf(text, log);
  if (stopReason !== "final" || config.requireCitations !== true) {
    return log.append({ type: "execution.completed", stopReason, output, usage, cost });
  }
  const { citations, unknown } = checkCitations(text, log.state);
  if (citations.length > 0) {
    return log.append({
      type: "execution.completed",
      stopReason,
      output: { ...output, citations: [...citations] },
      usage,
      cost,
    });
  }
  if (log.state.citationRequest === null) {
    log.append({ type: "citations.requested", turn: turn.number, message: citationRequest(log.state, unknown) });
    return requestModel(log, config, environment, { number: turn.number + 1, attempt: 1 });
  }
  log.append({ type: "execution.completed", stopReason: "citations_missing", output, usage, cost });
}

function stopReasonOf({ finishReason, text }: TurnState): "final" | keyof typeof TEXT_FOR_EMPTY_REPLY {
  if (finishReason === "refused") return "refused";
  if (finishReason === "length") return "truncated";
  return text.trim() === "" ? "empty" : "final";
}

/**
 * Returns the output with the sources of all model turns, without duplicates, because a later turn may use what an
 * earlier one found.
 */
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
  if (isWaitingForInput(call)) return endUnanswered(log, call, config);
  if (hasOpenTask(call)) return;
  const failure = callbackFailure(call);
  if (failure !== undefined) return failCall(log, call.id, failure, config);
  if (isWaitingForCallback(call)) return endWait(log, call, config);
  const traits = traitsOf(config, call);
  // A later version of the gateway may lack a tool that the agent had when the model called it.
  if (traits === undefined) {
    return failCall(log, call.id, gatewayFailure("UNKNOWN_TOOL", "this gateway no longer has the tool"), config);
  }
  if (traits.executor !== "attempts" || !startable.has(call)) return;
  // A call with answers starts its next attempt at once, like a call without attempts.
  const isRetry = call.attempts.length > 0 && call.status !== "requested";
  if (isRetry && (call.retryAt === null || call.retryAt > log.now)) return;
  startAttempt(log, { call, traits, config }, environment);
}

function endWait(log: EventLog, { id, callbackUntil }: CallState, config: ExecutionConfig): void {
  if (callbackUntil !== null && callbackUntil <= log.now) failCall(log, id, CALLBACK_TIMEOUT, config);
}

function endUnanswered(log: EventLog, call: CallState, config: ExecutionConfig): void {
  if (call.input === null || log.now < call.input.expiresAt) return;
  withdrawInput(log, call, "expired");
  // The call ends once the server was asked to cancel the task.
  if (hasOpenTask(call)) return;
  failCall(log, call.id, INPUT_EXPIRED, config);
}

function endHold(log: EventLog, call: CallState, environment: MachineEnvironment): void {
  if (takeFallback(log, call, environment)) return;
  const isOver = call.fallback === "declined" || (call.fallbackUntil !== null && call.fallbackUntil <= log.now);
  const error = isOver ? ownErrorOf(call) : null;
  if (error !== null) endCall(log, call, error);
}

/**
 * Cancels all open calls. The effect runner aborts running reads and waits for running writes; a request that was not
 * sent yet is never sent.
 */
function cancel(log: EventLog, environment: MachineEnvironment): void {
  closeAll(log, closingFailure(log.state), environment);
  if (currentTurn(log)?.calls.every(isClosed) === false) return;
  const { usage, cost } = log.state;
  log.append({ type: "execution.cancelled", usage, cost });
}

function stop(
  log: EventLog,
  reached: { readonly limit: Parameters<typeof stopText>[0]; readonly message: string },
  environment: MachineEnvironment,
): void {
  closeAll(log, closingFailure(log.state), environment);
  if (currentTurn(log)?.calls.every(isClosed) === false) return;
  const { usage, cost } = log.state;
  const text = stopText(reached.limit, reached.message, log);
  log.append({ type: "execution.completed", stopReason: reached.limit, output: { text }, usage, cost });
}

function stopText(limit: keyof EventLog["state"]["limits"], message: string, log: EventLog): string {
  return withLastText(`Stopped before the final reply: ${message} (${limit}).`, log);
}

function withLastText(explanation: string, log: EventLog): string {
  const lastText = log.state.turns.findLast((turn) => turn.text.trim() !== "")?.text;
  return lastText === undefined ? explanation : `${explanation} Last text of the model: ${lastText}`;
}

/**
 * Makes the execution wait if the provider requested a long pause, so that the pause uses neither a slot nor time of
 * the execution.
 */
function waitForModel(log: EventLog, retryAt: number): void {
  if (log.state.status === "waiting" || !isLongWait(retryAt, log.now)) return;
  log.append({ type: "execution.waiting", reason: "retry", until: toTimestamp(retryAt) });
}

function waitIfNothingRuns(log: EventLog, config: ExecutionConfig): void {
  const turn = currentTurn(log);
  if (turn === undefined) return;
  const open = turn.calls.filter((call) => !isClosed(call));
  const isRunningInline = (call: CallState) =>
    traitsOf(config, call)?.executor === "inline" && !isHeldBack(turn, call, config);
  const isIdle = open.every(
    (call) => isWaitingForApproval(call) || (!hasRunningAttempt(call) && !isRunningInline(call)),
  );
  if (!isIdle || open.length === 0 || log.state.status === "waiting" || isClosing(log.state)) return;
  const moments = [...callMoments(turn, config), ...open.flatMap((call) => taskEndsOf(call, log.now))];
  if (moments.length === 0) return;
  const reason = waitReasonOf(open);
  log.append({ type: "execution.waiting", reason, until: toTimestamp(Math.min(...moments)) });
}

/**
 * Returns the most important reason to wait: a fallback, because it expires soonest, then an approval, then input, then a
 * callback, then a task, then a retry.
 */
function waitReasonOf(open: readonly CallState[]): "fallback" | "approval" | "input" | "callback" | "task" | "retry" {
  if (open.some((call) => call.status === "waiting_fallback")) return "fallback";
  if (open.some(isWaitingForApproval)) return "approval";
  if (open.some(isWaitingForInput)) return "input";
  if (open.some(isWaitingForCallback)) return "callback";
  return open.some(isWaitingForTask) ? "task" : "retry";
}
