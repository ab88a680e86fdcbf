import type { EventLog } from "./event-log.ts";
import { mayFallBack } from "./fallback.ts";
import type { AdmittedCall, Command, Failure, MachineInput } from "./inputs.ts";
import type { MachineEnvironment, Plan, ToolTraits } from "./plan.ts";
import { mayRepeatInterrupted, mayRetry, retryDelayMs } from "./retry.ts";
import { type CallState, isClosed, remainingWallMs, runningAttempt, type TurnState } from "./state.ts";
import { gatewayFailure, toToolError } from "./tool-error.ts";

/** Further requests of a model turn after one that failed. */
export const MAX_MODEL_RETRIES = 4;

// A turn that takes the gateway down each time it is asked for must not do so for ever.
const MAX_INTERRUPTED_TURNS = 20;

type Of<Type extends MachineInput["type"]> = Extract<MachineInput, { type: Type }>;

/** Records what happened. A report that nobody waits for any more changes nothing. */
export function interpret(log: EventLog, input: MachineInput, plan: Plan, environment: MachineEnvironment): void {
  switch (input.type) {
    case "tick":
      return;
    case "recovered":
      return interruptAll(log, plan, environment);
    case "model_responded":
      return recordTurn(log, input);
    case "model_failed":
      return recordModelFailure(log, input, environment);
    case "attempt_finished":
      return recordAttempt(log, input, plan, environment);
    case "inline_finished":
      return recordInline(log, input, plan);
  }
}

/** Records what the API was asked to do; nothing when it is too late for it. */
export function interpretCommand(log: EventLog, command: Command): void {
  if (log.state.finishedAt !== null) return;
  if (command.type === "cancel") {
    if (!log.state.isCancelRequested) log.append({ type: "execution.cancel_requested" });
    return;
  }
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === command.toolCallId);
  if (call?.fallbackUntil === null || call?.fallbackUntil === undefined) return;
  if (call.fallback !== null || log.now >= call.fallbackUntil || log.state.isCancelRequested) return;
  const { toolCallId, answer } = command;
  log.append({
    type: "fallback.received",
    toolCallId,
    isDeclined: answer === "decline",
    ...(answer === "decline" ? {} : { result: answer.result }),
  });
}

function recordTurn(log: EventLog, input: Of<"model_responded">): void {
  if (!isAwaited(log, input)) return;
  log.append({
    type: "model.responded",
    turn: input.turn,
    attempt: input.attempt,
    text: input.text,
    finishReason: input.finishReason,
    toolCalls: input.calls.map(({ toolCallId, name, parameters }) => ({ toolCallId, name, parameters })),
    usage: input.usage,
    cost: input.cost,
  });
  for (const [index, call] of input.calls.entries()) {
    requestCall(log, input.turn, call);
    const refusal = refusalOf(log, input, index);
    if (refusal === undefined) continue;
    const error = toToolError(callOf(log, call.toolCallId), refusal);
    const isDenied = refusal === call.admission.refusal && call.admission.refusal.isDenied;
    log.append({ type: isDenied ? "tool_call.denied" : "tool_call.failed", toolCallId: call.toolCallId, error });
  }
}

function requestCall(log: EventLog, turn: number, call: AdmittedCall): void {
  const { kind, sideEffect, risk, policyDecision } = call.admission;
  log.append({
    type: "tool_call.requested",
    toolCallId: call.toolCallId,
    turn,
    name: call.name,
    kind,
    parameters: call.parameters,
    sideEffect,
    risk,
    policyDecision,
  });
}

function refusalOf(log: EventLog, input: Of<"model_responded">, index: number): Failure | undefined {
  const { maxToolCallsPerTurn } = log.state.limits;
  if (index >= maxToolCallsPerTurn) {
    return gatewayFailure(
      "BUDGET_EXCEEDED",
      `a turn may call at most ${maxToolCallsPerTurn} tools; this call did not run`,
    );
  }
  // Arguments that were cut off may parse all the same, and then mean something else.
  if (input.finishReason !== "tool_calls" && input.finishReason !== "stop") {
    return gatewayFailure("INVALID_ARGUMENTS", "the turn ended before its calls were complete; none of them ran");
  }
  return input.calls[index]?.admission.refusal;
}

function recordModelFailure(log: EventLog, input: Of<"model_failed">, environment: MachineEnvironment): void {
  const turn = currentTurn(log);
  if (turn === undefined || !isAwaited(log, input)) return;
  const error = { code: input.code, message: input.message };
  const delayMs = retryDelayMs(turn.failures + 1, environment.random, input.retryAfterMs);
  const mayRepeat =
    input.isRetryable && turn.failures < MAX_MODEL_RETRIES && delayMs < remainingWallMs(log.state, log.now);
  const retryAt = mayRepeat ? toTimestamp(log.now + delayMs) : null;
  log.append({ type: "model.failed", turn: input.turn, attempt: input.attempt, error, retryAt });
  if (mayRepeat) return;
  const { usage, cost } = log.state;
  closeAll(log, gatewayFailure("CANCELLED", "the execution failed before this call ran"));
  log.append({ type: "execution.failed", error, usage, cost });
}

function recordAttempt(
  log: EventLog,
  input: Of<"attempt_finished">,
  plan: Plan,
  environment: MachineEnvironment,
): void {
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === input.toolCallId);
  const attempt = call === undefined ? undefined : runningAttempt(call);
  const traits = call === undefined ? undefined : plan.tools.get(call.name);
  if (call === undefined || traits === undefined || attempt?.id !== input.attemptId) return;
  const failure = "failure" in input.answer ? inWords(log, input.answer.failure) : undefined;
  const retryAt = failure === undefined ? undefined : retryTime(log, call, traits, failure, environment);
  log.append({
    type: "attempt.finished",
    toolCallId: call.id,
    attemptId: attempt.id,
    number: attempt.number,
    durationMs: input.durationMs,
    timings: input.timings,
    requestBytes: input.requestBytes,
    responseBytes: input.responseBytes,
    ...(input.httpStatus === undefined ? {} : { httpStatus: input.httpStatus }),
    ...(failure === undefined ? {} : { errorCode: failure.code, outcome: failure.outcome }),
    ...(retryAt === undefined ? {} : { retryAt: toTimestamp(retryAt) }),
  });
  if ("result" in input.answer) {
    const { result } = input.answer;
    log.append({
      type: "tool_call.completed",
      toolCallId: call.id,
      result,
      via: "handler",
      cost: { usd: 0, credits: 0 },
    });
    return;
  }
  if (failure !== undefined && retryAt === undefined) failCall(log, call.id, failure, plan);
}

/** A call that was broken off at the end of the wall time ran out of time; nobody cancelled it. */
function inWords(log: EventLog, failure: Failure & { readonly retryAfterMs?: number }) {
  const isBrokenOff = log.state.limitReached !== null && failure.source === "gateway" && failure.code === "CANCELLED";
  if (!isBrokenOff || log.state.isCancelRequested) return failure;
  return { ...failure, code: "TIMEOUT", message: "the execution's time was over while the tool was working" };
}

function retryTime(
  log: EventLog,
  call: CallState,
  traits: ToolTraits,
  failure: Failure & { readonly retryAfterMs?: number },
  environment: MachineEnvironment,
): number | undefined {
  if (log.state.isCancelRequested || log.state.limitReached !== null) return undefined;
  if (!mayRetry(traits, call.attempts, failure)) return undefined;
  const delayMs = retryDelayMs(call.attempts.length, environment.random, failure.retryAfterMs);
  return delayMs < remainingWallMs(log.state, log.now) ? log.now + delayMs : undefined;
}

function recordInline(log: EventLog, input: Of<"inline_finished">, plan: Plan): void {
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === input.toolCallId);
  if (call === undefined || isClosed(call)) return;
  if ("result" in input.answer) {
    log.append({ type: "tool_call.completed", toolCallId: call.id, result: input.answer.result, cost: input.cost });
    return;
  }
  failCall(log, call.id, input.answer.failure, plan);
}

/** What was on its way under an earlier owner: nobody will ever know how it ended. */
function interruptAll(log: EventLog, plan: Plan, environment: MachineEnvironment): void {
  const turn = currentTurn(log);
  if (turn === undefined || log.state.finishedAt !== null) return;
  if (turn.phase === "requested") interruptTurn(log, turn);
  for (const call of turn.calls) interruptCall(log, call, plan, environment);
}

function interruptTurn(log: EventLog, turn: TurnState): void {
  const error = { code: "MODEL_ERROR", message: "the gateway was restarted while the model was answering" };
  const mayRepeat = turn.interruptions < MAX_INTERRUPTED_TURNS;
  const retryAt = mayRepeat ? toTimestamp(log.now) : null;
  log.append({ type: "model.failed", turn: turn.number, attempt: turn.attempt, error, retryAt, isInterruption: true });
  if (!mayRepeat) log.append({ type: "execution.failed", error, usage: log.state.usage, cost: log.state.cost });
}

function interruptCall(log: EventLog, call: CallState, plan: Plan, environment: MachineEnvironment): void {
  const attempt = runningAttempt(call);
  if (attempt === undefined) return;
  const traits = plan.tools.get(call.name);
  const mayRepeat = traits !== undefined && mayRepeatInterrupted(traits, call.attempts) && !isClosing(log);
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
  if (mayRepeat) return;
  const failure = gatewayFailure("OUTCOME_UNKNOWN", "the gateway stopped while this call was on its way");
  failCall(log, call.id, { ...failure, outcome: "unknown" }, plan);
}

/** Ends a call with an error, or holds it for the caller's answer. */
export function failCall(log: EventLog, toolCallId: string, failure: Failure, plan: Plan): void {
  const call = callOf(log, toolCallId);
  const error = toToolError(call, failure);
  const mayHold = !isClosing(log) && mayFallBack(log.state, call, error, plan);
  const fallbackUntil =
    mayHold && plan.fallbackWaitMs !== null ? toTimestamp(log.now + plan.fallbackWaitMs) : undefined;
  log.append({
    type: "tool_call.failed",
    toolCallId,
    error,
    ...(fallbackUntil === undefined ? {} : { fallbackUntil }),
  });
}

/** Ends every call that has no answer yet and nothing on its way. */
export function closeAll(log: EventLog, failure: Failure): void {
  for (const call of currentTurn(log)?.calls ?? []) {
    if (isClosed(call) || runningAttempt(call) !== undefined) continue;
    // A held call already has its error; that is what the record keeps.
    const error = call.status === "waiting_fallback" && call.error !== null ? call.error : toToolError(call, failure);
    log.append({ type: "tool_call.failed", toolCallId: call.id, error });
  }
}

/** Whether the execution only brings to an end what is on its way. */
export function isClosing(log: EventLog): boolean {
  return log.state.isCancelRequested || log.state.limitReached !== null;
}

export function currentTurn(log: EventLog): TurnState | undefined {
  return log.state.turns.at(-1);
}

export function toTimestamp(at: number): string {
  return new Date(at).toISOString();
}

function isAwaited(log: EventLog, input: { readonly turn: number; readonly attempt: number }): boolean {
  const turn = currentTurn(log);
  const isCurrent = turn?.number === input.turn && turn.attempt === input.attempt && turn.phase === "requested";
  return isCurrent && log.state.finishedAt === null && !isClosing(log);
}

function callOf(log: EventLog, toolCallId: string): CallState {
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === toolCallId);
  if (call === undefined) throw new Error("expected a call of the current turn");
  return call;
}
