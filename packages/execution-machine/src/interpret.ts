import { defined } from "@yagate/lib/objects/defined";
import type { ExecutionError } from "@yagate/protocol";
import { endWithdrawn, recordDecision, requestApproval } from "./approval.ts";
import { mayRepeatInterrupted, mayRetry, retryDelayMs } from "./attempt.ts";
import type { Failure } from "./call-outcome.ts";
import { hasReceivedResult, interpretCallback } from "./callback.ts";
import { addCosts, costOfModelCalls, isFree } from "./cost.ts";
import { closeAll, completeCall, endCall, failCall } from "./end-call.ts";
import { callOf, currentTurn, type EventLog, toTimestamp } from "./event-log.ts";
import {
  type ExecutionConfig,
  type MachineEnvironment,
  type ToolTraits,
  toolKey,
  traitsOf,
} from "./execution-config.ts";
import { inputRefusal, pollAt, recordAnswers, requestInput } from "./input.ts";
import type { AdmittedCall, Command, MachineInput } from "./inputs.ts";
import { interruptAll } from "./interrupt.ts";
import { limitHint } from "./limits.ts";
import { RESUMPTION_LOST, recordResumable, resumedAnswer } from "./resumption.ts";
import { type CallState, isClosed, isClosing, remainingWallMs, runningAttempt } from "./state.ts";
import { recordCreatedTask, recordTask } from "./task.ts";
import { gatewayFailure, toToolError } from "./tool-error.ts";
import { loadTools } from "./tool-search.ts";

/** Maximum number of retries of a model turn. */
export const MAX_MODEL_RETRIES = 4;

type Of<Type extends MachineInput["type"]> = Extract<MachineInput, { type: Type }>;

/** Records an input. A late or repeated input changes nothing. */
export function interpret(
  log: EventLog,
  input: MachineInput,
  config: ExecutionConfig,
  environment: MachineEnvironment,
): void {
  switch (input.type) {
    case "tick":
      return;
    case "recovered":
      return interruptAll(log, config, environment);
    case "model_responded":
      return recordModelTurn(log, input, config);
    case "model_failed":
      return recordModelFailure(log, input, environment);
    case "attempt_resumable":
      return recordResumable(log, input);
    case "attempt_finished":
      return recordAttempt(log, input, config, environment);
    case "task_reported":
      return recordTask(log, input, config, environment);
    case "inline_finished":
      return recordInline(log, input, config, environment);
    case "attempt_late":
      return recordLate(log, input);
    case "replay_diverged":
      return recordDivergence(log, input, environment);
  }
}

/** Records a command. Does nothing if the command came too late. */
export function interpretCommand(log: EventLog, command: Command): void {
  if (log.state.finishedAt !== null) return;
  if (command.type === "cancel") {
    if (!log.state.isCancelRequested) log.append({ type: "execution.cancel_requested" });
    return;
  }
  if (command.type === "attempt_late") return recordLate(log, command);
  if (command.type === "approve" || command.type === "deny") {
    return recordDecision(log, currentTurn(log)?.calls ?? [], command);
  }
  if (command.type === "withdraw") return endWithdrawn(log, currentTurn(log)?.calls ?? [], command);
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === command.toolCallId);
  if (command.type === "callback") return interpretCallback(log, call, command);
  if (command.type === "input") return recordAnswers(log, call, command);
  if (call?.fallbackUntil === null || call?.fallbackUntil === undefined || hasReceivedResult(call)) return;
  if (call.fallback !== null || log.now >= call.fallbackUntil || log.state.isCancelRequested) return;
  const { toolCallId, fallback } = command;
  log.append({
    type: "fallback.received",
    toolCallId,
    isDeclined: fallback === "decline",
    ...(fallback === "decline" ? {} : { result: fallback.result }),
  });
}

function recordModelTurn(log: EventLog, input: Of<"model_responded">, config: ExecutionConfig): void {
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
    ...(input.response === undefined ? {} : { response: input.response }),
    ...(input.hostedCalls === undefined || input.hostedCalls.length === 0
      ? {}
      : { hostedCalls: [...input.hostedCalls] }),
    ...(input.sources === undefined || input.sources.length === 0 ? {} : { sources: [...input.sources] }),
  });
  if (input.calls.length === 0) return;
  const admitted = new Map<string, number>();
  for (const [index, call] of input.calls.entries()) {
    requestCall(log, input.turn, call);
    const earlier = admitted.get(call.name) ?? 0;
    const refusal = refusalOf(log, input, index) ?? refuseRepetition(call, earlier, config);
    if (refusal === undefined) {
      admitted.set(call.name, earlier + 1);
      const { approval } = call.admission;
      if (approval !== undefined) requestApproval(log, call.toolCallId, approval, config);
      continue;
    }
    const error = toToolError(callOf(log, call.toolCallId), refusal);
    const isDenied = refusal === call.admission.refusal && call.admission.refusal.isDenied;
    log.append({ type: isDenied ? "tool_call.denied" : "tool_call.failed", toolCallId: call.toolCallId, error });
    if (refusal === call.admission.refusal) loadTools(log, call.toolCallId, call.admission.refusal.loads, "call");
  }
}

function requestCall(log: EventLog, turn: number, call: AdmittedCall): void {
  const { kind, sideEffect, risk, policyDecision, leakedSecrets, projection, isUntrusted, frameNonce } = call.admission;
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
    ...(leakedSecrets === undefined ? {} : { leakedSecrets: [...leakedSecrets] }),
    ...(projection === undefined ? {} : { projection }),
    ...(call.capability === undefined ? {} : { capability: call.capability }),
    ...(isUntrusted === undefined ? {} : { isUntrusted }),
    ...(frameNonce === undefined ? {} : { frameNonce }),
  });
}

function refusalOf(log: EventLog, input: Of<"model_responded">, index: number): Failure | undefined {
  const { maxToolCallsPerTurn } = log.state.limits;
  if (index >= maxToolCallsPerTurn) {
    return tooManyCalls(`a model turn may make at most ${maxToolCallsPerTurn} tool calls`);
  }
  // Truncated arguments may still be valid JSON with a different meaning.
  if (input.finishReason !== "tool_calls" && input.finishReason !== "stop") {
    return gatewayFailure("INVALID_ARGUMENTS", "the model turn ended before its calls were complete; none of them ran");
  }
  return input.calls[index]?.admission.refusal;
}

/**
 * Returns the refusal of a call that exceeds the tool's limit per turn. Calls that were rejected for another reason
 * never reach the tool and do not count.
 */
function refuseRepetition(call: AdmittedCall, earlierCalls: number, config: ExecutionConfig): Failure | undefined {
  const { name } = call;
  const most = config.tools.get(toolKey(call))?.maxCallsPerTurn ?? null;
  if (most === null || earlierCalls < most) return undefined;
  return tooManyCalls(`a model turn may call ${name} at most ${most} ${most === 1 ? "time" : "times"}`);
}

function tooManyCalls(rule: string): Failure {
  const failure = gatewayFailure("BUDGET_EXCEEDED", `${rule}; this call did not run`);
  return { ...failure, hint: "make fewer calls at the same time, and the others in a later turn" };
}

function recordModelFailure(log: EventLog, input: Of<"model_failed">, environment: MachineEnvironment): void {
  const turn = currentTurn(log);
  if (turn === undefined || !isAwaited(log, input)) return;
  const { code, message, developerMessage } = input;
  const error = { code, message, ...(developerMessage === undefined ? {} : { developerMessage }) };
  const delayMs = retryDelayMs(turn.failures + 1, environment.random, input.retryAfterMs);
  const mayRepeat =
    input.isRetryable && turn.failures < MAX_MODEL_RETRIES && delayMs < remainingWallMs(log.state, log.now);
  const retryAt = mayRepeat ? toTimestamp(log.now + delayMs) : null;
  const { turn: number, attempt, spending } = input;
  log.append({ type: "model.failed", turn: number, attempt, error, retryAt, ...spending });
  if (!mayRepeat) failExecution(log, error, environment);
}

function recordAttempt(
  log: EventLog,
  input: Of<"attempt_finished">,
  config: ExecutionConfig,
  environment: MachineEnvironment,
): void {
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === input.toolCallId);
  const attempt = call === undefined ? undefined : runningAttempt(call);
  const traits = call === undefined ? undefined : traitsOf(config, call);
  if (call === undefined || traits === undefined || attempt?.id !== input.attemptId) return;
  const outcome = attempt.isResumption === true ? resumedAnswer(input.outcome, input.httpStatus) : input.outcome;
  const required = "inputRequired" in outcome ? outcome.inputRequired : undefined;
  const hasExpired = "inputExpired" in outcome && !isClosing(log.state);
  const isLost = "resumptionLost" in outcome;
  const failure = failureOf(log, call, outcome);
  const isOpen = call.callback === null;
  let retryAt = failure === undefined || !isOpen ? undefined : retryTime(log, call, traits, failure, environment);
  if (required !== undefined && failure === undefined) retryAt = pollAt(log, call, required);
  if (hasExpired || (isLost && isOpen && mayRepeatLost(log, call, traits))) retryAt = log.now;
  log.append({
    type: "attempt.finished",
    toolCallId: call.id,
    attemptId: attempt.id,
    number: attempt.number,
    durationMs: input.durationMs,
    timings: input.timings,
    requestBytes: input.requestBytes,
    responseBytes: input.responseBytes,
    ...(input.url === undefined || input.url === attempt.url ? {} : { url: input.url }),
    ...(input.httpStatus === undefined ? {} : { httpStatus: input.httpStatus }),
    ...(failure === undefined ? {} : { errorCode: failure.code, outcome: failure.outcome }),
    ...("pending" in outcome ? { isPending: true } : {}),
    ...(required === undefined || failure !== undefined ? {} : { input: "required" as const }),
    ...(hasExpired ? { input: "expired" as const } : {}),
    ...(isLost ? { isResumptionLost: true } : {}),
    ...(retryAt === undefined ? {} : { retryAt: toTimestamp(retryAt) }),
    ...(isFree(input.cost) ? {} : { cost: input.cost }),
  });
  // If a callback arrived first, it decides the outcome.
  if (!isOpen) return;
  if ("result" in outcome) {
    const { result } = outcome;
    const via = call.kind === "network" ? {} : { via: "handler" as const };
    return completeCall(log, call, { result, ...via, cost: addCosts(call.cost, input.cost) }, environment);
  }
  if ("task" in outcome) return recordCreatedTask(log, call, outcome.task, config);
  if (failure !== undefined && retryAt === undefined) return failCall(log, call.id, failure, config);
  if (required !== undefined) requestInput(log, call, required, config);
}

/** Returns whether a call may be sent again although its earlier attempt may have taken effect. */
function mayRepeatLost({ state, now }: EventLog, { attempts }: CallState, traits: ToolTraits): boolean {
  return !isClosing(state) && mayRepeatInterrupted(traits, attempts) && remainingWallMs(state, now) > 0;
}

function failureOf(log: EventLog, call: CallState, outcome: Of<"attempt_finished">["outcome"]): Failure | undefined {
  if ("failure" in outcome) return toLimitFailure(log, outcome.failure);
  if ("resumptionLost" in outcome) return RESUMPTION_LOST;
  return "inputRequired" in outcome ? inputRefusal(call) : undefined;
}

/**
 * Describes an abort by a limit as a lack of time or budget, because the call was not cancelled by a person or an
 * application.
 */
function toLimitFailure(log: EventLog, failure: Failure) {
  const { limitReached, isCancelRequested } = log.state;
  const isAborted = failure.source === "gateway" && failure.code === "CANCELLED";
  if (limitReached === null || !isAborted || isCancelRequested) return failure;
  const moment = failure.outcome === "none" ? "before this call was sent" : "while the tool was working";
  const { limit, message } = limitReached;
  // The original error only says that the gateway closed the connection.
  const traits = { developerMessage: message, isRetryable: false };
  if (limit !== "maxWallTimeMs")
    return { ...failure, ...traits, code: "BUDGET_EXCEEDED", message: `${message} ${moment}`, hint: limitHint(limit) };
  const hint = "the execution has no time left for this call; continue without it";
  return { ...failure, ...traits, code: "TIMEOUT", message: `the execution reached its time limit ${moment}`, hint };
}

function retryTime(
  log: EventLog,
  call: CallState,
  traits: ToolTraits,
  failure: Failure,
  environment: MachineEnvironment,
): number | undefined {
  if (isClosing(log.state)) return undefined;
  const attempts = call.attempts.slice(call.earlierAttempts);
  if (!mayRetry(traits, attempts, failure)) return undefined;
  const delayMs = retryDelayMs(attempts.length, environment.random, failure.retryAfterMs);
  return delayMs < remainingWallMs(log.state, log.now) ? log.now + delayMs : undefined;
}

function recordInline(
  log: EventLog,
  input: Of<"inline_finished">,
  config: ExecutionConfig,
  environment: MachineEnvironment,
): void {
  const call = currentTurn(log)?.calls.find((candidate) => candidate.id === input.toolCallId);
  if (call === undefined || isClosed(call)) return;
  const { outcome, modelCalls = [] } = input;
  if ("failure" in outcome) return failCall(log, call.id, outcome.failure, config, { cost: input.cost, modelCalls });
  const cost = addCosts(call.cost, addCosts(input.cost, costOfModelCalls(modelCalls)));
  completeCall(log, call, { result: outcome.result, cost, modelCalls, ...defined({ via: input.via }) }, environment);
  loadTools(log, call.id, outcome.foundTools, "search");
}

/** Ends the execution, because neither the model nor a person can supply the outcome that the recording lacks. */
function recordDivergence(
  log: EventLog,
  { toolCallId, message }: Of<"replay_diverged">,
  environment: MachineEnvironment,
): void {
  const call = currentTurn(log)?.calls.find(({ id }) => id === toolCallId);
  if (call === undefined || isClosed(call) || log.state.finishedAt !== null) return;
  endCall(log, call, toToolError(call, gatewayFailure("REPLAY_DIVERGED", message)));
  failExecution(log, { code: "REPLAY_DIVERGED", message }, environment);
}

/** Ends the execution with an error, and its open calls with it. */
export function failExecution(log: EventLog, error: ExecutionError, environment: MachineEnvironment): void {
  const { usage, cost } = log.state;
  closeAll(log, gatewayFailure("CANCELLED", "the execution failed before this call ran"), environment);
  log.append({ type: "execution.failed", error, usage, cost });
}

/** Records a late response in the log only. What the model has read about the call does not change. */
function recordLate(log: EventLog, input: Of<"attempt_late">): void {
  if (log.state.finishedAt !== null) return;
  const call = log.state.turns.flatMap(({ calls }) => calls).find(({ id }) => id === input.toolCallId);
  const attempt = call?.attempts.find(({ id }) => id === input.attemptId);
  if (attempt === undefined || !attempt.isFinished || attempt.lateAnswer !== undefined) return;
  const { toolCallId, attemptId, httpStatus, elapsedMs, responseBytes } = input;
  log.append({ type: "tool_call.late", toolCallId, attemptId, httpStatus, elapsedMs, responseBytes });
}

function isAwaited(log: EventLog, input: { readonly turn: number; readonly attempt: number }): boolean {
  const turn = currentTurn(log);
  const isCurrent = turn?.number === input.turn && turn.attempt === input.attempt && turn.phase === "requested";
  return isCurrent && log.state.finishedAt === null && !isClosing(log.state);
}
