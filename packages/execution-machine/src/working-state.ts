import { defined } from "@yagate/lib/objects/defined";
import { tokensOfCharacters } from "@yagate/lib/text/token-estimate";
import {
  type ExecutionError,
  type ExecutionEvent,
  type HostedCall,
  type Limits,
  PASSIVE_EVENT_TYPES,
} from "@yagate/protocol";
import { addCosts, addModelCalls, addUsage } from "./cost.ts";
import { type CallEvent, changeCall, toCall } from "./fold-call.ts";
import { editNote, estimateErrorTokens, estimateResultTokens } from "./result-tokens.ts";
import { hostedKey, isOutage, noteCapability, toDecision } from "./route.ts";
import type { CallState, ExecutionState, TurnState } from "./state.ts";
import { completedHostedTools } from "./untrusted-reads.ts";

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type WritableTurn = Writable<Omit<TurnState, "calls">> & { calls: CallState[] };
type WritableState = Writable<Omit<ExecutionState, "turns">> & { turns: TurnState[] };

type Of<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;

/**
 * A state to which events are applied one after another. It changes its own copies of the state and of the model
 * turns in place, and copies each at most once; the state that it starts from never changes. Calls and attempts are
 * values: an event replaces a call, so a call that was read before the event stays as it was.
 */
export class WorkingState {
  #state: ExecutionState;
  /** The same object as `#state`, as soon as this object has its own copy. */
  #own: WritableState | undefined;
  /** The turn that was changed last, if this object has its own copy of it. */
  #ownTurn: WritableTurn | undefined;

  constructor(start: ExecutionState) {
    this.#state = start;
  }

  /** The current state. The next event may change this object. */
  get state(): ExecutionState {
    return this.#state;
  }

  /**
   * Takes the next event.
   *
   * @param at - time of the event, in ms since the epoch.
   */
  take(event: ExecutionEvent, at: number = Date.parse(event.at)): void {
    const state = this.#writable();
    countTime(state, event, at);
    state.lastSeq = event.seq;
    state.lastEventAt = at;
    this.#apply(state, event, at);
  }

  #writable(): WritableState {
    if (this.#own !== undefined) return this.#own;
    this.#own = { ...this.#state, turns: [...this.#state.turns] };
    this.#state = this.#own;
    return this.#own;
  }

  #apply(state: WritableState, event: ExecutionEvent, at: number): void {
    switch (event.type) {
      case "execution.started":
        state.startedAt = event.at;
        state.input = event.input;
        state.limits = toLimits(event.limits);
        state.toolSearch = event.toolSearch ?? null;
        return;
      case "route.decided":
        state.route = toDecision(event);
        return;
      case "model.requested":
        return this.#requestModel(state, event);
      case "model.failed":
        return this.#failModel(state, event);
      case "model.responded":
        return this.#endModelTurn(state, event);
      case "tool_call.requested":
        this.#turn(state, event.turn)?.calls.push(toCall(event));
        state.usage = { ...state.usage, toolCalls: state.usage.toolCalls + 1 };
        return;
      case "tool_call.completed": {
        const { after } = this.#changeCall(state, event);
        noteCapability(state, after?.capability?.key, { hasFailed: false });
        if (after !== undefined) state.toolResultTokens += estimateResultTokens(after) + editTokens(after);
        state.usage = addModelCalls(state.usage, event.modelCalls);
        state.cost = addCosts(state.cost, event.cost);
        return;
      }
      case "tool_call.failed": {
        const { before } = this.#changeCall(state, event);
        // A held call has not ended: the model does not read its error, and nothing is charged yet.
        if (event.fallbackUntil !== undefined) return;
        if (isOutage(event.error)) noteCapability(state, before?.capability?.key, { hasFailed: true });
        state.toolResultTokens += estimateErrorTokens(event.error, before) + editTokens(before);
        state.usage = addModelCalls(state.usage, event.modelCalls);
        if (event.cost !== undefined) state.cost = addCosts(state.cost, event.cost);
        state.isFallbackExhausted ||= hasExpiredUnanswered(before, at);
        return;
      }
      case "tool_call.denied": {
        const { before } = this.#changeCall(state, event);
        state.toolResultTokens += estimateErrorTokens(event.error, before);
        return;
      }
      case "route.changed":
        noteCapability(state, event.from.key, { hasFailed: true });
        this.#changeCall(state, event);
        return;
      case "approval.requested":
      case "approval.resolved":
      case "attempt.started":
      case "attempt.resumable":
      case "attempt.finished":
      case "callback.received":
      case "fallback.received":
      case "input.requested":
      case "input.received":
      case "input.withdrawn":
      case "input.delivered":
      case "task.created":
      case "tool_call.late":
        this.#changeCall(state, event);
        return;
      case "tools.loaded":
        state.loadedTools = [...state.loadedTools, ...event.tools.map((name) => ({ name, reason: event.reason }))];
        return;
      case "citations.requested":
        state.citationRequest = { turn: event.turn, message: event.message };
        return;
      case "limit.reached":
        noteUnknownCost(state);
        state.limitReached = { limit: event.limit, message: event.message };
        return;
      case "execution.cancel_requested":
        noteUnknownCost(state);
        state.isCancelRequested = true;
        return;
      case "execution.completed":
        state.output = toOutput(event.output);
        state.stopReason = event.stopReason;
        return end(state, "completed", event, at);
      case "execution.failed":
        state.error = toError(event.error);
        state.stopReason = "error";
        return end(state, "failed", event, at);
      case "execution.cancelled":
        state.stopReason = "cancelled";
        return end(state, "cancelled", event, at);
      case "execution.waiting":
        if (event.reason === "restart") this.#countRestart(state, event);
    }
  }

  #requestModel(state: WritableState, { turn: number, attempt, model, isRecorded }: Of<"model.requested">): void {
    const repeated = this.#turn(state, number);
    if (repeated !== undefined) {
      repeated.phase = "requested";
      repeated.attempt = attempt;
      repeated.retryAt = null;
      return;
    }
    this.#ownTurn = {
      number,
      attempt,
      mayCost: isRecorded !== true && !model.startsWith("scripted/"),
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
    state.turns.push(this.#ownTurn);
  }

  #failModel(state: WritableState, event: Of<"model.failed">): void {
    const isInterruption = event.isInterruption === true;
    if (isInterruption) noteUnknownCost(state);
    if (event.usage !== undefined) state.usage = addUsage(state.usage, event.usage, 0);
    if (event.cost !== undefined) state.cost = addCosts(state.cost, event.cost);
    const turn = this.#turn(state, event.turn);
    if (turn === undefined) return;
    turn.phase = "retrying";
    if (isInterruption) turn.interruptions += 1;
    else turn.failures += 1;
    turn.retryAt = event.retryAt === null ? null : Date.parse(event.retryAt);
  }

  #endModelTurn(state: WritableState, event: Of<"model.responded">): void {
    state.usage = addUsage(state.usage, event.usage, countCalls(event.hostedCalls));
    state.cost = addCosts(state.cost, event.cost);
    for (const { name, status } of event.hostedCalls ?? []) {
      const served = state.route?.intents.find(({ tool }) => tool === name);
      if (status !== "pending") noteCapability(state, hostedKey(served), { hasFailed: status === "failed" });
    }
    const turn = this.#turn(state, event.turn);
    if (turn === undefined) return;
    turn.phase = "responded";
    turn.interruptions = 0;
    turn.retryAt = null;
    turn.text = event.text;
    turn.finishReason = event.finishReason;
    turn.sources = event.sources ?? [];
    turn.hostedTools = completedHostedTools(event.hostedCalls);
  }

  #countRestart(state: WritableState, { isCostUnknown }: Of<"execution.waiting">): void {
    if (isCostUnknown === true) notePartialCost(state);
    const last = state.turns.at(-1);
    // A restart interrupts nothing while a model turn waits for its retry.
    if (last?.phase !== "responded") return;
    const turn = this.#turn(state, last.number);
    if (turn !== undefined) turn.interruptions += 1;
  }

  /**
   * Applies an event to its call. Returns the call before and after the event, or neither if no turn contains the call.
   */
  #changeCall(state: WritableState, event: CallEvent): { readonly before?: CallState; readonly after?: CallState } {
    const isCall = ({ id }: CallState) => id === event.toolCallId;
    const found = state.turns.findLast(({ calls }) => calls.some(isCall));
    const turn = found === undefined ? undefined : this.#turn(state, found.number);
    const index = turn?.calls.findIndex(isCall) ?? -1;
    const before = turn?.calls[index];
    if (turn === undefined || before === undefined) return {};
    const after = changeCall(before, event);
    turn.calls[index] = after;
    return { before, after };
  }

  /** Returns this object's own copy of a turn; undefined if the state has no turn with this number. */
  #turn(state: WritableState, number: number): WritableTurn | undefined {
    if (this.#ownTurn?.number === number) return this.#ownTurn;
    const index = state.turns.findLastIndex((turn) => turn.number === number);
    const turn = state.turns[index];
    if (turn === undefined) return undefined;
    this.#ownTurn = { ...turn, calls: [...turn.calls] };
    state.turns[index] = this.#ownTurn;
    return this.#ownTurn;
  }
}

/** Counts the time that the execution spent running, without the times when it waited and when no gateway ran it. */
function countTime(state: WritableState, event: ExecutionEvent, at: number): void {
  const isStart = event.type === "execution.started";
  const isResume =
    state.status === "waiting" && !PASSIVE_EVENT_TYPES.has(event.type) && event.type !== "execution.waiting";
  if (isStart || isResume) {
    state.status = "running";
    state.runningSince = at;
  } else if (state.runningSince === null) {
    return;
  } else if ("isInterruption" in event && event.isInterruption === true) {
    stopRunning(state, state.lastEventAt ?? state.runningSince);
    state.runningSince = at;
  } else if (event.type === "execution.waiting") {
    stopRunning(state, at);
    state.status = "waiting";
  }
}

/** Counts the time until `at`, in ms since the epoch, and no time after it. */
function stopRunning(state: WritableState, at: number): void {
  if (state.runningSince !== null) state.spentMs += Math.max(0, at - state.runningSince);
  state.runningSince = null;
}

/** Adds the limits on total cost and tokens, which executions of older gateways lack. */
function toLimits({ maxCostUsd = null, maxTotalTokens = null, ...limits }: Of<"execution.started">["limits"]): Limits {
  return { ...limits, maxCostUsd, maxTotalTokens };
}

/**
 * Marks the cost as partial if the gateway gave up on a model's reply, because the reply's cost will never be known.
 */
function noteUnknownCost(state: WritableState): void {
  const turn = state.turns.at(-1);
  if (turn?.phase === "requested" && turn.mayCost) notePartialCost(state);
}

function notePartialCost(state: WritableState): void {
  state.cost = { ...state.cost, isPartial: true };
}

// The provider reports a call twice if its result comes in a later model turn.
function countCalls(calls: readonly HostedCall[] = []): number {
  return calls.filter(({ status }) => status !== "pending").length;
}

function editTokens(call: CallState | undefined): number {
  return call === undefined ? 0 : tokensOfCharacters(editNote(call).length);
}

/** Returns whether the call was held for a fallback, and the hold expired without one. */
function hasExpiredUnanswered(call: CallState | undefined, at: number): boolean {
  if (call?.fallbackUntil === null || call?.fallbackUntil === undefined) return false;
  return call.fallback === null && at >= call.fallbackUntil;
}

function toError({ code, message, developerMessage }: ExecutionError): ExecutionError {
  return { code, message, ...(developerMessage === undefined ? {} : { developerMessage }) };
}

function toOutput({ text, sources, citations }: NonNullable<ExecutionState["output"]>): ExecutionState["output"] {
  return { text, ...defined({ sources, citations }) };
}

function end(
  state: WritableState,
  status: "completed" | "failed" | "cancelled",
  event: ExecutionEvent,
  at: number,
): void {
  stopRunning(state, at);
  state.status = status;
  state.finishedAt = event.at;
}
