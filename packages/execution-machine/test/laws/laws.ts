import { type ExecutionEvent, executionEventSchema } from "@yagate/protocol";
import type { ExecutionConfig } from "../../src/execution-config.ts";
import { fold } from "../../src/fold.ts";
import {
  type CallState,
  type ExecutionState,
  initialState,
  isClosed,
  remainingWallMs,
  runningAttempt,
  spentMs,
} from "../../src/state.ts";
import { GUARDED } from "../support/moves.ts";
import { CALLBACK_LAWS } from "./callback-laws.ts";
import { INPUT_LAWS } from "./input-laws.ts";
import { callIn, callsOf, is, isClosing, type Law, type Moment } from "./law.ts";
import { missingDependency, ORDER_LAWS } from "./order-laws.ts";
import { RESUMPTION_LAWS } from "./resumption-laws.ts";
import { TASK_LAWS } from "./task-laws.ts";
import { TOOL_SEARCH_LAWS } from "./tool-search-laws.ts";

/** Everything in a log that should not be there, in words; an empty list for a good one. */
export function breaches(log: readonly ExecutionEvent[], config: ExecutionConfig): readonly string[] {
  const found: string[] = [];
  let before = initialState(config.executionId);
  let isCallerSilent = false;
  for (const event of log) {
    const after = fold(before, event);
    const moment = { before, after, event, at: Date.parse(event.at), isCallerSilent };
    for (const [words, law] of Object.entries(LAWS)) {
      const breach = law(moment, config);
      if (breach !== undefined && breach !== false) found.push(`${words} (${event.seq} ${event.type}: ${breach})`);
    }
    isCallerSilent ||= endsUnanswered(moment);
    before = after;
  }
  return found;
}

const hasRun = (call: CallState, config: ExecutionConfig) =>
  call.attempts.length > 0 ||
  (call.status === "completed" && config.tools.get(call.name)?.executor === "inline") ||
  (call.error !== null && call.error.source === "handler");

const isUse = ({ error }: CallState) => error?.code !== "BUDGET_EXCEEDED";

/** Whether the turns before the last one allow no further try of this tool. */
function hasFailedTooOften({ turns, limits }: ExecutionState, name: string): boolean {
  const uses = turns.slice(0, -1).map(({ calls }) => calls.filter((call) => call.name === name && isUse(call)));
  const last = uses.filter((calls) => calls.length > 0).slice(-limits.maxSameToolRetries - 1);
  const hasFailed = last.every((calls) => calls.every(({ status }) => status !== "completed"));
  return last.length > limits.maxSameToolRetries && hasFailed;
}

function endsUnanswered({ before, event, at }: Moment): boolean {
  if (!is(event, "tool_call.failed") || event.fallbackUntil !== undefined) return false;
  const { fallback = null, fallbackUntil = null } = callIn(before, event.toolCallId) ?? {};
  return fallbackUntil !== null && fallback === null && at >= fallbackUntil;
}

const LAWS: Readonly<Record<string, Law>> = {
  ...ORDER_LAWS,

  "events conform to the protocol": ({ event }) => {
    const { success, error } = executionEventSchema.safeParse(event);
    return success ? undefined : JSON.stringify(error.issues);
  },

  "events are numbered without a gap": ({ before, event }) =>
    event.seq !== before.lastSeq + 1 && `after ${before.lastSeq}`,

  "nothing comes after the end": ({ before }) => before.finishedAt !== null && `ended at ${before.finishedAt}`,

  "a call is requested once, by the model turn that has ended": ({ before, event }) => {
    if (!is(event, "tool_call.requested")) return;
    if (callIn(before, event.toolCallId) !== undefined) return "twice";
    return before.turns.at(-1)?.phase !== "responded" && "no turn has answered";
  },

  "an event of a call finds it open, unless it is late or loads tools": ({ before, event }) => {
    const { toolCallId } = event;
    if (typeof toolCallId !== "string" || is(event, "tool_call.requested", "tool_call.late", "tools.loaded")) return;
    const call = callIn(before, toolCallId);
    return call === undefined ? "no such call" : isClosed(call) && `the call is ${call.status}`;
  },

  "a late response belongs to a finished attempt, once": ({ before, event }) => {
    if (!is(event, "tool_call.late")) return;
    const attempt = callIn(before, event.toolCallId)?.attempts.find(({ id }) => id === event.attemptId);
    if (attempt === undefined) return "no such attempt";
    return (!attempt.isFinished || attempt.lateAnswer !== undefined) && "not finished, or recorded before";
  },

  "a late response changes nothing": ({ before, after, event }) => {
    if (!is(event, "tool_call.late")) return;
    const kept = JSON.stringify({ ...before, lastSeq: 0, lastEventAt: 0, turns: withoutLate(before) });
    return kept !== JSON.stringify({ ...after, lastSeq: 0, lastEventAt: 0, turns: withoutLate(after) }) && "the state";
  },

  "a call has one attempt at a time, numbered from 1": ({ before, event }) => {
    if (!is(event, "attempt.started")) return;
    const call = callIn(before, event.toolCallId);
    if (call === undefined || runningAttempt(call) !== undefined) return "another is running";
    return event.number !== call.attempts.length + 1 && `number ${event.number}`;
  },

  "a call that is held or denied is not sent": ({ before, event }) => {
    if (!is(event, "attempt.started")) return;
    const status = callIn(before, event.toolCallId)?.status;
    return status !== "requested" && status !== "running" && `the call is ${status}`;
  },

  "an approval of a call is requested once, before its first attempt": ({ before, event }) => {
    if (!is(event, "approval.requested")) return;
    const call = callIn(before, event.toolCallId);
    return (call?.status !== "requested" || call.approval !== null || call.attempts.length > 0) && `${call?.status}`;
  },

  "an approval is resolved once: by an approver in time, by its expiry, or by the end": (
    { before, event, at },
    config,
  ) => {
    if (!is(event, "approval.resolved")) return;
    const approval = callIn(before, event.toolCallId)?.approval ?? null;
    if (approval?.id !== event.approvalId || approval.status !== "pending") return `it was ${approval?.status}`;
    if (event.status === "expired") return at < approval.expiresAt && "there was time left";
    if (event.status === "cancelled") {
      const isIdle = missingDependency(before, event.toolCallId, config) !== undefined;
      return !isIdle && !isClosing(before) && "nothing ended it";
    }
    return (at >= approval.expiresAt || isClosing(before)) && "too late";
  },

  "a call that needs an approval runs if it is approved, and only then": ({ before, event }) => {
    const isDone = is(event, "tool_call.completed") && event.via !== "fallback";
    if (!isDone && !is(event, "attempt.started")) return;
    const call = callIn(before, event.toolCallId);
    return GUARDED.has(call?.name ?? "") && call?.approval?.status !== "approved" && `${call?.approval?.status}`;
  },

  "a call is denied by an approver or by expiry only if that happened": ({ before, event }) => {
    if (!is(event, "tool_call.denied") || !event.error.code.startsWith("APPROVAL_")) return;
    const status = callIn(before, event.toolCallId)?.approval?.status;
    return event.error.code !== (status === "denied" ? "APPROVAL_DENIED" : "APPROVAL_EXPIRED") && `${status}`;
  },

  "only an approver changes the arguments of a call": ({ before, after, event }) => {
    const edited = is(event, "approval.resolved") ? event.toolCallId : undefined;
    const changed = callsOf(before).filter(
      (call) => JSON.stringify(callIn(after, call.id)?.parameters) !== JSON.stringify(call.parameters),
    );
    return changed.some(({ id }) => id !== edited) && `of ${changed.map(({ id }) => id).join()}`;
  },

  "a retry waits for its time": ({ before, event, at }) => {
    if (!is(event, "attempt.started")) return;
    const { status, retryAt = null } = callIn(before, event.toolCallId) ?? {};
    // Answers to its questions continue a call at once, and so does another process that reads its response.
    if (status === "requested" || event.isResumption === true) return;
    return event.number > 1 && (retryAt === null || at < retryAt) && `planned for ${retryAt}`;
  },

  "a call is attempted no more often than its author allows": ({ after, event }, config) => {
    if (!is(event, "attempt.started")) return;
    const call = callIn(after, event.toolCallId);
    const counted =
      call?.attempts.filter(({ isInterrupted, input }) => !isInterrupted && input === undefined).length ?? 0;
    const interrupted = call?.attempts.filter(({ isInterrupted }) => isInterrupted).length ?? 0;
    const retries = config.tools.get(call?.name ?? "")?.retries ?? 0;
    return (counted > retries + 1 || interrupted > 3) && `${counted} attempts, ${interrupted} interrupted`;
  },

  "no attempt may outlive the execution's time, or its tool's": ({ before, event, at }, config) => {
    if (!is(event, "attempt.started")) return;
    const budgetMs = Date.parse(event.deadline) - at;
    const timeoutMs = config.tools.get(callIn(before, event.toolCallId)?.name ?? "")?.timeoutMs ?? 0;
    return (budgetMs <= 0 || budgetMs > timeoutMs || budgetMs > remainingWallMs(before, at)) && `${budgetMs} ms`;
  },

  "a retry is scheduled only if there is time left": ({ before, event, at }) => {
    if (!is(event, "attempt.finished", "model.failed") || event.isInterruption === true) return;
    // A pause between rounds is no retry: the execution waits meanwhile.
    if (is(event, "attempt.finished") && event.input !== undefined) return;
    const retryAt = event.retryAt ?? null;
    return retryAt !== null && Date.parse(retryAt) - at >= remainingWallMs(before, at) && `at ${retryAt}`;
  },

  "a model turn starts only when every call has ended": ({ before, event }) => {
    if (!is(event, "model.requested")) return;
    return callsOf(before).some((call) => !isClosed(call)) && "a call has none";
  },

  "a model turn starts only within every limit": ({ before, event, at }) => {
    if (!is(event, "model.requested")) return;
    const { limits, toolResultTokens } = before;
    if (spentMs(before, at) >= limits.maxWallTimeMs) return "its time is over";
    if (toolResultTokens > limits.maxToolResultTokens) return `${toolResultTokens} tokens were read`;
    if (limits.maxCostUsd !== null && before.cost.usd > limits.maxCostUsd + 1e-9) return `${before.cost.usd} USD`;
    const tokens = before.usage.inputTokens + before.usage.outputTokens;
    if (limits.maxTotalTokens !== null && tokens >= limits.maxTotalTokens) return `${tokens} tokens were used`;
    const usd = callsOf(before).reduce((sum, { cost }) => sum + cost.usd, 0);
    return limits.maxToolCostUsd !== null && usd > limits.maxToolCostUsd + 1e-9 && `tools cost ${usd}`;
  },

  "model turns follow one another, and so do the attempts of one": ({ before, event, at }) => {
    if (!is(event, "model.requested")) return;
    const turn = before.turns.at(-1);
    if (turn === undefined) return (event.turn !== 1 || event.attempt !== 1) && "not the first";
    if (event.turn === turn.number) {
      if (turn.phase !== "retrying" || event.attempt !== turn.attempt + 1) return "not the next attempt";
      return (turn.retryAt === null || at < turn.retryAt) && "too early";
    }
    return (event.turn !== turn.number + 1 || event.attempt !== 1 || turn.phase !== "responded") && "not the next turn";
  },

  "a reply belongs to the running model request": ({ before, event }) => {
    if (!is(event, "model.responded", "model.failed")) return;
    const turn = before.turns.at(-1);
    const isAsked = turn?.phase === "requested" && turn.number === event.turn && turn.attempt === event.attempt;
    return !isAsked && `turn ${event.turn}, attempt ${event.attempt}`;
  },

  "no call of an incomplete model turn runs": ({ after, event }, config) => {
    if (!is(event, "attempt.started", "tool_call.completed")) return;
    const { finishReason = null, calls = [] } = after.turns.at(-1) ?? {};
    if (finishReason === "tool_calls" || finishReason === "stop") return;
    return calls.some((call) => hasRun(call, config)) && `it ended by ${finishReason}`;
  },

  "a cancellation is requested once": ({ before, event }) =>
    is(event, "execution.cancel_requested") && before.isCancelRequested && "again",

  "an interrupted attempt has an unknown outcome": ({ event }) =>
    is(event, "attempt.finished") && event.isInterruption === true && event.outcome !== "unknown" && `${event.outcome}`,

  "an attempt that crashes the gateway does not repeat for ever": ({ after, event }) => {
    const interruptions = after.turns.at(-1)?.interruptions ?? 0;
    return is(event, "model.requested") && interruptions > 20 && `${interruptions} interruptions`;
  },

  "a model turn fails five times at most": ({ after, event }) => {
    if (!is(event, "model.failed")) return;
    const failures = after.turns.at(-1)?.failures ?? 0;
    return (failures > 5 || (failures === 5 && event.retryAt !== null)) && `${failures} failures`;
  },

  "a model turn runs no more calls than its limits allow, in total and per tool": ({ after, event }, config) => {
    if (!is(event, "attempt.started", "tool_call.completed")) return;
    const turn = after.turns.at(-1);
    const run = (turn?.calls ?? []).filter((call) => hasRun(call, config));
    if (run.length > after.limits.maxToolCallsPerTurn) return `${run.length} calls ran`;
    for (const [name, { maxCallsPerTurn }] of config.tools) {
      const ofTool = run.filter((call) => call.name === name).length;
      if (maxCallsPerTurn !== null && ofTool > maxCallsPerTurn) return `${ofTool} of ${name}`;
    }
    return undefined;
  },

  "no more rounds of calls run than the limit allows": ({ after, event }, config) => {
    if (!is(event, "attempt.started", "tool_call.completed")) return;
    const rounds = after.turns.filter(({ calls }) => calls.some((call) => hasRun(call, config))).length;
    return rounds > after.limits.maxToolIterations && `${rounds} rounds`;
  },

  "a tool that failed too often is not run again": ({ before, event }) => {
    if (!is(event, "attempt.started") || event.number > 1) return;
    const name = callIn(before, event.toolCallId)?.name ?? "";
    return hasFailedTooOften(before, name) && name;
  },

  "a limit is recorded as reached only if it is": ({ before, event, at }) => {
    if (!is(event, "limit.reached")) return;
    const { limits, turns } = before;
    const usd = callsOf(before).reduce((sum, { cost }) => sum + cost.usd, 0);
    switch (event.limit) {
      case "maxWallTimeMs":
        return spentMs(before, at) < limits.maxWallTimeMs && "there was time left";
      case "maxToolIterations":
        return turns.filter(({ calls }) => calls.length > 0).length <= limits.maxToolIterations && "rounds were left";
      case "maxToolResultTokens":
        return before.toolResultTokens <= limits.maxToolResultTokens && "tokens were left";
      case "maxToolCostUsd":
        return (limits.maxToolCostUsd === null || usd <= limits.maxToolCostUsd - 1e-9) && "money was left";
      case "maxSameToolRetries": {
        const asked = new Set(
          turns
            .at(-1)
            ?.calls.filter(isUse)
            .map(({ name }) => name),
        );
        return [...asked].every((name) => !hasFailedTooOften(before, name)) && "no tool failed so often";
      }
      case "maxCostUsd":
        return (limits.maxCostUsd === null || before.cost.usd <= limits.maxCostUsd - 1e-9) && "money was left";
      case "maxTotalTokens": {
        const tokens = before.usage.inputTokens + before.usage.outputTokens;
        return (limits.maxTotalTokens === null || tokens < limits.maxTotalTokens) && "tokens were left";
      }
      case "maxToolCallsPerTurn":
        return "it ends nothing";
    }
  },

  "an inline call that crashes the gateway does not repeat for ever": ({ before, event }, config) => {
    if (!is(event, "execution.waiting") || event.reason !== "restart") return;
    const { interruptions = 0, calls = [] } = before.turns.at(-1) ?? {};
    const isOpen = calls.some((call) => !isClosed(call) && config.tools.get(call.name)?.executor === "inline");
    // Each one that a person allows afterwards may meet one restart more.
    const allowedLater = calls.filter(({ approval }) => approval?.status === "approved").length;
    return isOpen && interruptions > 3 + allowedLater && `${interruptions} times`;
  },

  "nothing new starts in an execution that is ending": ({ before, event }) => {
    if (!isClosing(before)) return;
    if (is(event, "model.requested", "model.responded", "attempt.started", "execution.waiting")) {
      return event.type !== "execution.waiting" || event.reason !== "restart" ? "it began" : undefined;
    }
    if (is(event, "tool_call.failed")) return event.fallbackUntil !== undefined && "a call was held";
    return is(event, "attempt.finished") && event.retryAt !== undefined && "a retry was planned";
  },

  "a call is held only if its caller requested that, and no longer": ({ event, at, isCallerSilent }, config) => {
    if (!is(event, "tool_call.failed") || event.fallbackUntil === undefined) return;
    if (config.fallbackWaitMs === null || isCallerSilent) return "the caller requested no hold, or does not respond";
    if (config.tools.get(event.error.toolName)?.executor !== "attempts") return "it runs inside the gateway";
    return Date.parse(event.fallbackUntil) - at !== config.fallbackWaitMs && `until ${event.fallbackUntil}`;
  },

  "a hold accepts one fallback, in time": ({ before, event, at }) => {
    if (!is(event, "fallback.received")) return;
    const call = callIn(before, event.toolCallId);
    if (call?.status !== "waiting_fallback") return `the call is ${call?.status}`;
    return (call.fallback !== null || at >= (call.fallbackUntil ?? 0)) && "answered before, or too late";
  },

  "a fallback that was accepted is the result": ({ before, event }) => {
    if (!is(event, "tool_call.completed", "tool_call.failed")) return;
    const { fallback = null, fallbackUntil = null } = callIn(before, event.toolCallId) ?? {};
    if (fallback === null) {
      // Held, and ended without a fallback: by its expiry, or with the execution.
      const hasReceivedResult = event.type === "tool_call.completed" && event.via === "callback";
      const isOver =
        fallbackUntil === null || hasReceivedResult || isClosing(before) || Date.parse(event.at) >= fallbackUntil;
      return (!isOver || (event.type === "tool_call.completed" && event.via === "fallback")) && "there was no fallback";
    }
    if (fallback === "declined") return event.type === "tool_call.completed" && "the caller declined";
    return (event.type !== "tool_call.completed" || event.result !== fallback.result) && "it is another one";
  },

  ...CALLBACK_LAWS,
  ...INPUT_LAWS,
  ...RESUMPTION_LAWS,
  ...TASK_LAWS,
  ...TOOL_SEARCH_LAWS,

  "an error covers all attempts": ({ before, event }) => {
    if (!is(event, "tool_call.failed")) return;
    const attempts = callIn(before, event.toolCallId)?.attempts ?? [];
    const isUncertain = attempts.some(({ outcome }) => outcome === "unknown");
    if (isUncertain && event.error.outcome !== "unknown") return "it may have happened";
    const isSafe = ["read_only", "idempotent_write"].includes(callIn(before, event.toolCallId)?.sideEffect ?? "");
    return event.error.outcome === "unknown" && event.error.retryable && !isSafe && "retryable";
  },

  "time that was spent stays spent": ({ before, after, event, at }) => {
    if (after.spentMs < before.spentMs) return `${before.spentMs} to ${after.spentMs}`;
    const isInterruption = "isInterruption" in event && event.isInterruption === true;
    return !isInterruption && spentMs(after, at) < spentMs(before, at) && "in this moment";
  },

  "a waiting execution names a time and has nothing running": ({ before, event, at }) => {
    if (!is(event, "execution.waiting") || event.reason === "restart") return;
    if (Date.parse(event.until) < at) return "in the past";
    if (before.turns.at(-1)?.phase === "requested") return "the model is asked";
    return callsOf(before).some((call) => runningAttempt(call) !== undefined) && "an attempt is";
  },

  "the last event has the usage and cost of the state": ({ before, event }) => {
    if (!is(event, "execution.completed", "execution.cancelled", "execution.failed")) return;
    const isSame = JSON.stringify([event.usage, event.cost]) === JSON.stringify([before.usage, before.cost]);
    return !isSame && "they are not";
  },
};

function withoutLate(state: ExecutionState) {
  return state.turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((call) => ({
      ...call,
      attempts: call.attempts.map(({ lateAnswer: _late, ...rest }) => rest),
    })),
  }));
}
