import { tokensOfCharacters } from "@yagate/lib/text/token-estimate";
import type { ExecutionError, ExecutionEvent, HostedCall, Limits, StopReason, ToolErrorRecord } from "@yagate/protocol";
import { addCosts } from "./cost.ts";
import { foldCall } from "./fold-call.ts";
import { editNote, estimateErrorTokens, estimateResultTokens } from "./result-tokens.ts";
import type { CallState, ExecutionState, TurnState } from "./state.ts";
import { completedHostedTools } from "./untrusted-reads.ts";
import { addModelCalls, addUsage } from "./usage.ts";

// Events that leave a waiting execution in the status `waiting`, because its owner has yet to act on them.
const PASSIVE: ReadonlySet<ExecutionEvent["type"]> = new Set([
  "execution.cancel_requested",
  "approval.resolved",
  "callback.received",
  "fallback.received",
  "tool_call.late",
]);

/**
 * Returns the state after one more event. The state depends on the events alone: folding the same log always gives the
 * same state.
 */
export function fold(state: ExecutionState, event: ExecutionEvent): ExecutionState {
  const at = Date.parse(event.at);
  return foldEvent({ ...foldClock(state, event, at), lastSeq: event.seq, lastEventAt: at }, event);
}

/** Counts the time that the execution spent running, without the times when it waited and when no gateway ran it. */
function foldClock(state: ExecutionState, event: ExecutionEvent, at: number): ExecutionState {
  const isStart = event.type === "execution.started";
  const isResume = state.status === "waiting" && !PASSIVE.has(event.type) && event.type !== "execution.waiting";
  if (isStart || isResume) return { ...state, status: "running", runningSince: at };
  if (state.runningSince === null) return state;
  if ("isInterruption" in event && event.isInterruption === true) {
    const stoppedAt = state.lastEventAt ?? state.runningSince;
    return { ...state, spentMs: state.spentMs + Math.max(0, stoppedAt - state.runningSince), runningSince: at };
  }
  if (event.type === "execution.waiting") {
    const spentMs = state.spentMs + Math.max(0, at - state.runningSince);
    return { ...state, status: "waiting", spentMs, runningSince: null };
  }
  return state;
}

function foldEvent(state: ExecutionState, event: ExecutionEvent): ExecutionState {
  switch (event.type) {
    case "execution.started":
      return { ...state, startedAt: event.at, input: event.input, limits: toLimits(event.limits) };
    case "model.requested":
      return foldModelRequested(state, event);
    case "model.failed": {
      const isCounted = event.isInterruption !== true;
      const known = isCounted ? state : withUnknownCost(state);
      return {
        ...updateTurn(known, event.turn, (turn) => ({
          ...turn,
          phase: "retrying",
          failures: turn.failures + (isCounted ? 1 : 0),
          interruptions: turn.interruptions + (isCounted ? 0 : 1),
          retryAt: event.retryAt === null ? null : Date.parse(event.retryAt),
        })),
        usage: event.usage === undefined ? known.usage : addUsage(known.usage, event.usage, 0),
        cost: event.cost === undefined ? known.cost : addCosts(known.cost, event.cost),
      };
    }
    case "model.responded":
      return {
        ...updateTurn(state, event.turn, (turn) => ({
          ...turn,
          phase: "responded",
          interruptions: 0,
          retryAt: null,
          text: event.text,
          finishReason: event.finishReason,
          sources: event.sources ?? [],
          hostedTools: completedHostedTools(event.hostedCalls),
        })),
        usage: addUsage(state.usage, event.usage, countCalls(event.hostedCalls)),
        cost: addCosts(state.cost, event.cost),
      };
    case "tool_call.requested":
      return {
        ...foldCalls(state, event),
        usage: { ...state.usage, toolCalls: state.usage.toolCalls + 1 },
      };
    case "tool_call.completed": {
      const completed = foldCalls(state, event);
      const call = callOf(completed, event.toolCallId);
      return {
        ...completed,
        toolResultTokens:
          state.toolResultTokens +
          (call === undefined ? 0 : estimateResultTokens(call)) +
          editTokens(state, event.toolCallId),
        usage: addModelCalls(state.usage, event.modelCalls),
        cost: addCosts(state.cost, event.cost),
      };
    }
    case "tool_call.failed":
      // A held call has not ended: the model does not read its error, and nothing is charged yet.
      if (event.fallbackUntil !== undefined) return foldCalls(state, event);
      return {
        ...foldCalls(state, event),
        toolResultTokens: state.toolResultTokens + errorTokens(state, event) + editTokens(state, event.toolCallId),
        usage: addModelCalls(state.usage, event.modelCalls),
        cost: event.cost === undefined ? state.cost : addCosts(state.cost, event.cost),
        isFallbackExhausted: state.isFallbackExhausted || hasExpiredUnanswered(state, event),
      };
    case "tool_call.denied":
      return {
        ...foldCalls(state, event),
        toolResultTokens: state.toolResultTokens + errorTokens(state, event),
      };
    case "approval.requested":
    case "approval.resolved":
    case "attempt.started":
    case "attempt.finished":
    case "callback.received":
    case "fallback.received":
    case "tool_call.late":
      return foldCalls(state, event);
    case "limit.reached":
      return { ...withUnknownCost(state), limitReached: { limit: event.limit, message: event.message } };
    case "execution.cancel_requested":
      return { ...withUnknownCost(state), isCancelRequested: true };
    case "execution.completed":
      return end(state, event.at, "completed", event.stopReason, { output: toOutput(event.output) });
    case "execution.failed":
      return end(state, event.at, "failed", "error", { error: toError(event.error) });
    case "execution.cancelled":
      return end(state, event.at, "cancelled", "cancelled", {});
    case "execution.waiting":
      return event.reason === "restart"
        ? countRestart(event.isCostUnknown === true ? withPartialCost(state) : state)
        : state;
  }
}

type StartedLimits = Extract<ExecutionEvent, { type: "execution.started" }>["limits"];

/** Adds the limits on total cost and tokens, which executions of older gateways lack. */
function toLimits({ maxCostUsd = null, maxTotalTokens = null, ...limits }: StartedLimits): Limits {
  return { ...limits, maxCostUsd, maxTotalTokens };
}

/**
 * Marks the cost as partial if the gateway gave up on a model's reply, because the reply's cost will never be known.
 */
function withUnknownCost(state: ExecutionState): ExecutionState {
  const turn = state.turns.at(-1);
  if (turn?.phase !== "requested" || !turn.mayCost) return state;
  return withPartialCost(state);
}

function withPartialCost(state: ExecutionState): ExecutionState {
  return { ...state, cost: { ...state.cost, isPartial: true } };
}

function foldModelRequested(
  state: ExecutionState,
  { turn: number, attempt, model }: Extract<ExecutionEvent, { type: "model.requested" }>,
): ExecutionState {
  if (state.turns.some((turn) => turn.number === number)) {
    return updateTurn(state, number, (turn) => ({ ...turn, phase: "requested", attempt, retryAt: null }));
  }
  const turn: TurnState = {
    number,
    attempt,
    mayCost: !model.startsWith("scripted/"),
    failures: 0,
    interruptions: 0,
    phase: "requested",
    retryAt: null,
    text: "",
    finishReason: null,
    sources: [],
    hostedTools: [],
    calls: [],
  };
  return { ...state, turns: [...state.turns, turn] };
}

// The provider reports a call twice if its result comes in a later model turn.
function countCalls(calls: readonly HostedCall[] = []): number {
  return calls.filter(({ status }) => status !== "pending").length;
}

function toError({ code, message, developerMessage }: ExecutionError): ExecutionError {
  return { code, message, ...(developerMessage === undefined ? {} : { developerMessage }) };
}

function toOutput({ text, sources }: NonNullable<ExecutionState["output"]>): ExecutionState["output"] {
  return sources === undefined ? { text } : { text, sources };
}

function countRestart(state: ExecutionState): ExecutionState {
  const turn = state.turns.at(-1);
  // A restart interrupts nothing while a model turn waits for its retry.
  if (turn?.phase !== "responded") return state;
  return updateTurn(state, turn.number, () => ({ ...turn, interruptions: turn.interruptions + 1 }));
}

function foldCalls(state: ExecutionState, event: Parameters<typeof foldCall>[1]): ExecutionState {
  const number = event.type === "tool_call.requested" ? event.turn : turnOf(state, event.toolCallId);
  if (number === undefined) return state;
  return updateTurn(state, number, (turn) => ({ ...turn, calls: foldCall(turn.calls, event) }));
}

function callOf(state: ExecutionState, toolCallId: string): CallState | undefined {
  return state.turns.at(-1)?.calls.find(({ id }) => id === toolCallId);
}

function errorTokens(state: ExecutionState, event: { toolCallId: string; error: ToolErrorRecord }): number {
  return estimateErrorTokens(event.error, callOf(state, event.toolCallId));
}

function editTokens(state: ExecutionState, toolCallId: string): number {
  const call = callOf(state, toolCallId);
  return call === undefined ? 0 : tokensOfCharacters(editNote(call).length);
}

function turnOf(state: ExecutionState, toolCallId: string): number | undefined {
  return state.turns.findLast((turn) => turn.calls.some((call) => call.id === toolCallId))?.number;
}

function updateTurn(state: ExecutionState, number: number, change: (turn: TurnState) => TurnState): ExecutionState {
  return { ...state, turns: state.turns.map((turn) => (turn.number === number ? change(turn) : turn)) };
}

/** Returns whether the call was held for a fallback, and the hold expired without one. */
function hasExpiredUnanswered(state: ExecutionState, event: { toolCallId: string; at: string }): boolean {
  const call = callOf(state, event.toolCallId);
  if (call?.fallbackUntil === null || call?.fallbackUntil === undefined) return false;
  return call.fallback === null && Date.parse(event.at) >= call.fallbackUntil;
}

function end(
  state: ExecutionState,
  at: string,
  status: "completed" | "failed" | "cancelled",
  stopReason: StopReason,
  outcome: Partial<Pick<ExecutionState, "output" | "error">>,
): ExecutionState {
  const spent = state.runningSince === null ? 0 : Math.max(0, Date.parse(at) - state.runningSince);
  return {
    ...state,
    ...outcome,
    status,
    stopReason,
    spentMs: state.spentMs + spent,
    runningSince: null,
    finishedAt: at,
  };
}
