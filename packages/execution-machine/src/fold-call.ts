import { type ExecutionEvent, toApprovalResolution } from "@yagate/protocol";
import { addCosts } from "./cost.ts";
import { startOver, toInput } from "./input-state.ts";
import { charactersOfError, resultCharacters } from "./result-tokens.ts";
import type { ApprovalState, AttemptState, CallbackState, CallState } from "./state.ts";
import { toTask, withQuestions } from "./task-state.ts";

/** An event of a call after its request. */
export type CallEvent = Extract<
  ExecutionEvent,
  {
    type:
      | "route.changed"
      | "tool_call.denied"
      | "approval.requested"
      | "approval.resolved"
      | "tool_call.failed"
      | "tool_call.completed"
      | "attempt.started"
      | "attempt.resumable"
      | "attempt.finished"
      | "callback.received"
      | "fallback.received"
      | "input.requested"
      | "input.received"
      | "input.withdrawn"
      | "input.delivered"
      | "task.created"
      | "tool_call.late";
  }
>;

/** Returns the call that an event requests. */
export function toCall(event: Extract<ExecutionEvent, { type: "tool_call.requested" }>): CallState {
  return {
    id: event.toolCallId,
    turn: event.turn,
    name: event.name,
    ...(event.capability === undefined ? {} : { capability: event.capability }),
    kind: event.kind,
    parameters: event.parameters,
    sideEffect: event.sideEffect,
    risk: event.risk,
    policyDecision: event.policyDecision,
    leakedSecrets: event.leakedSecrets ?? [],
    ...(event.projection === undefined ? {} : { projection: event.projection }),
    // Older records lack this field, so the kind decides.
    isUntrusted: event.isUntrusted ?? event.kind === "network",
    ...(event.frameNonce === undefined ? {} : { frameNonce: event.frameNonce }),
    status: "requested",
    approval: null,
    attempts: [],
    retryAt: null,
    callbackUntil: null,
    callback: null,
    resumption: null,
    input: null,
    task: null,
    fallbackUntil: null,
    fallback: null,
    error: null,
    cost: { usd: 0, credits: 0 },
    modelCalls: [],
    requestedAt: event.at,
    finishedAt: null,
  };
}

/** Returns the call after one of its events. */
export function changeCall(call: CallState, event: CallEvent): CallState {
  switch (event.type) {
    case "route.changed":
      return toOtherCapability(call, event);
    case "approval.requested":
      return { ...call, status: "waiting_approval", approval: toApproval(event) };
    case "approval.resolved":
      return resolve(call, event);
    case "tool_call.denied":
      return { ...call, status: "denied", error: event.error, finishedAt: event.at };
    case "tool_call.failed":
      if (event.fallbackUntil !== undefined) {
        return {
          ...call,
          status: "waiting_fallback",
          error: event.error,
          retryAt: null,
          // The caller supplies a fallback for the error that the callback delivered, so the callback needs no further action.
          callback: call.callback === null ? null : { ...call.callback, isTaken: true },
          fallbackUntil: Date.parse(event.fallbackUntil),
        };
      }
      return {
        ...call,
        status: event.error.source === "gateway" && event.error.code === "CANCELLED" ? "cancelled" : "failed",
        error: event.error,
        errorCharacters: charactersOfError(event.error),
        retryAt: null,
        fallbackUntil: null,
        cost: event.cost ?? call.cost,
        modelCalls: event.modelCalls ?? [],
        finishedAt: event.at,
      };
    case "tool_call.completed":
      return {
        ...call,
        status: "completed",
        result: event.result,
        resultCharacters: event.readCharacters ?? resultCharacters(event.result, call),
        ...(event.via === undefined ? {} : { via: event.via }),
        cost: event.cost,
        modelCalls: event.modelCalls ?? [],
        // The model reads the fallback; the record keeps the error that the fallback replaces.
        fallbackUntil: null,
        finishedAt: event.at,
      };
    case "fallback.received":
      return {
        ...call,
        fallback: event.isDeclined || event.result === undefined ? "declined" : { result: event.result },
      };
    case "callback.received":
      return { ...call, callback: toCallback(event) };
    case "attempt.started":
      return {
        ...call,
        status: "running",
        retryAt: null,
        callbackUntil: event.callbackUntil === undefined ? call.callbackUntil : Date.parse(event.callbackUntil),
        resumption: event.isResumption === true ? call.resumption : null,
        attempts: [...call.attempts, toAttempt(event)],
      };
    case "attempt.resumable":
      return { ...call, resumption: event.resumption };
    case "attempt.finished":
      return {
        ...call,
        status: event.isPending === true ? "waiting_callback" : call.status,
        retryAt: event.retryAt === undefined ? null : Date.parse(event.retryAt),
        resumption: event.isInterruption === true ? call.resumption : null,
        ...(event.input === "expired" ? { input: call.input && startOver(call.input) } : {}),
        cost: event.cost === undefined ? call.cost : addCosts(call.cost, event.cost),
        attempts: call.attempts.map((attempt) => (attempt.id === event.attemptId ? finish(attempt, event) : attempt)),
      };
    case "input.requested":
      return {
        ...call,
        status: event.questions.length === 0 ? call.status : "waiting_input",
        input: toInput(event),
        task: call.task && withQuestions(call.task, event),
      };
    case "input.received":
      return {
        ...call,
        status: call.task === null ? "requested" : "waiting_task",
        input: call.input && { ...call.input, status: "answered", answers: event.answers },
      };
    case "input.withdrawn":
      return {
        ...call,
        status: call.task === null ? call.status : "waiting_task",
        input: call.input && { ...call.input, status: event.status },
      };
    case "input.delivered":
      return { ...call, task: call.task && { ...call.task, deliveredRound: event.round } };
    case "task.created":
      return { ...call, status: "waiting_task", task: toTask(event, call) };
    case "tool_call.late":
      return {
        ...call,
        attempts: call.attempts.map((attempt) => (attempt.id === event.attemptId ? addLate(attempt, event) : attempt)),
      };
  }
}

function toApproval(event: Extract<CallEvent, { type: "approval.requested" }>): ApprovalState {
  const { approvalId: id, expiresAt, requestHash } = event;
  return { id, status: "pending", expiresAt: Date.parse(expiresAt), requestHash, resolution: null };
}

function resolve(call: CallState, event: Extract<CallEvent, { type: "approval.resolved" }>): CallState {
  if (call.approval === null) return call;
  const { status, parameters, requestHash = call.approval.requestHash } = event;
  const approval = { ...call.approval, status, requestHash, resolution: toApprovalResolution(event) };
  // This only records the decision. The owner of the execution ends a denied call.
  if (status !== "approved") return { ...call, approval };
  if (parameters === undefined) return { ...call, status: "requested", approval };
  return {
    ...call,
    status: "requested",
    parameters,
    // The approver wrote these arguments, so the model leaked no secret in them.
    leakedSecrets: [],
    approval: { ...approval, requestedParameters: call.parameters },
  };
}

/** Returns the call as it starts again with another capability. */
function toOtherCapability(call: CallState, event: Extract<CallEvent, { type: "route.changed" }>): CallState {
  const { to, from, kind, sideEffect, risk, policyDecision, projection, isUntrusted, cost } = event;
  return {
    ...call,
    ...{ capability: to, kind, sideEffect, risk, policyDecision, projection, status: "requested" },
    triedCapabilities: [...(call.triedCapabilities ?? []), from.key],
    earlierAttempts: call.attempts.length,
    isUntrusted: call.isUntrusted || isUntrusted === true,
    cost: cost === undefined ? call.cost : addCosts(call.cost, cost),
    ...{ retryAt: null, callbackUntil: null, callback: null, resumption: null, input: null, task: null },
  };
}

function toCallback({ bodyHash, result, error }: Extract<CallEvent, { type: "callback.received" }>): CallbackState {
  return { bodyHash, outcome: error === undefined ? { result: result ?? null } : { error }, isTaken: false };
}

function addLate(attempt: AttemptState, event: Extract<CallEvent, { type: "tool_call.late" }>): AttemptState {
  const { at, httpStatus, elapsedMs, responseBytes } = event;
  return {
    ...attempt,
    lateAnswer: {
      at,
      ...(httpStatus === undefined ? {} : { httpStatus }),
      ...(elapsedMs === undefined ? {} : { elapsedMs }),
      ...(responseBytes === undefined ? {} : { responseBytes }),
    },
  };
}

function toAttempt(event: Extract<CallEvent, { type: "attempt.started" }>): AttemptState {
  return {
    id: event.attemptId,
    number: event.number,
    method: event.method,
    url: event.url,
    ...(event.credential === undefined ? {} : { credential: event.credential }),
    startedAt: event.at,
    isFinished: false,
    isInterrupted: false,
    ...(event.isResumption === true ? { isResumption: true } : {}),
    durationMs: null,
    timings: null,
    requestBytes: 0,
    responseBytes: 0,
  };
}

function finish(attempt: AttemptState, event: Extract<CallEvent, { type: "attempt.finished" }>): AttemptState {
  return {
    ...attempt,
    isFinished: true,
    isInterrupted: event.isInterruption === true || event.isResumptionLost === true,
    durationMs: event.durationMs,
    timings: event.timings,
    requestBytes: event.requestBytes,
    responseBytes: event.responseBytes,
    ...(event.url === undefined ? {} : { url: event.url }),
    ...(event.httpStatus === undefined ? {} : { httpStatus: event.httpStatus }),
    ...(event.errorCode === undefined ? {} : { errorCode: event.errorCode }),
    ...(event.outcome === undefined ? {} : { outcome: event.outcome }),
    ...(event.input === undefined ? {} : { input: event.input }),
  };
}
