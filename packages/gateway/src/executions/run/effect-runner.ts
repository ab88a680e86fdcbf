import { type Effect, outstanding } from "@yagate/execution-machine/effects";
import { type ExecutionConfig, toolKey } from "@yagate/execution-machine/execution-config";
import type { MachineInput } from "@yagate/execution-machine/inputs";
import { type CallState, type ExecutionState, isClosed } from "@yagate/execution-machine/state";
import { roomForTools } from "@yagate/execution-machine/tool-search";
import { Cancellation, toAbortSignal } from "@yagate/lib/async/cancellation";
import { defined } from "@yagate/lib/objects/defined";
import type { AssistantPart, UnreachableProvider } from "@yagate/models/port";
import type { AttemptExchange } from "@yagate/store/port";
import { type CallContext, HANDED_OVER, QueueFullError } from "../../tools/port.ts";
import { toolOfCall } from "../../tools/toolset/tool-of-call.ts";
import type { NewApprovalRequest } from "../approvals/approval-request.ts";
import type { RecordedOutcome } from "../recording/recorded-outcome.ts";
import { Sampling } from "../sampling/sampling.ts";
import { followTask } from "./follow-task.ts";
import type { LateInput } from "./late-responses.ts";
import type { RunDependencies, RunSubject } from "./run-dependencies.ts";
import { ABORTED } from "./run-dependencies.ts";
import { runModelTurn } from "./run-model-turn.ts";
import { deadlinesOf, runToolCall } from "./run-tool-call.ts";

type ModelEffect = Extract<Effect, { type: "model" }>;
type TaskEffect = Extract<Effect, { type: "task" }>;
type CallEffect = Extract<Effect, { type: "attempt" | "inline" }>;

/** The outcome of an effect: an input for the machine, and what is stored with the events that follow from it. */
export interface EffectReport {
  readonly input: MachineInput;
  /** For a model turn: its assistant message. `approvals` contains the approval requests of its calls. */
  readonly parts?: readonly AssistantPart[];
  readonly approvals?: readonly NewApprovalRequest[];
  /** For an attempt: the messages that were exchanged. */
  readonly exchange?: AttemptExchange;
}

/** The run that effects belong to. */
export interface EffectOwner {
  readonly state: () => ExecutionState;
  readonly assistantMessages: ReadonlyMap<number, readonly AssistantPart[]>;
  readonly onReport: (report: EffectReport) => void;
  readonly onLate: (input: LateInput) => void;
  /** Called with each input for the machine that precedes the end of an effect. */
  readonly onProgress: (input: MachineInput) => void;
  /** Called when an effect has ended, with or without a report. */
  readonly onEnd: () => void;
  /** Called when another owner has taken over the execution. */
  readonly onLost: () => void;
  /**
   * Checks that this process still owns the execution.
   * @throws LeaseLapsedError if another owner may have taken over the execution.
   */
  readonly assertOwned: () => void;
  /**
   * Waits until this process holds the lease again. Resolves to false if another owner has taken over in the meantime.
   */
  readonly regain: () => Promise<boolean>;
}

interface RunningEffect {
  readonly type: Effect["type"];
  readonly controller: AbortController | Cancellation;
  /** For an attempt: aborted when the request may no longer be sent. A request that was already sent continues. */
  readonly unsent: Cancellation | undefined;
  /** Whether the attempt is waiting for a slot of its endpoint. */
  isQueued: boolean;
  /** Whether the attempt has left its endpoint's queue without being sent, so that any process can send it later. */
  isWithdrawn: boolean;
}

/**
 * Minimum time until an attempt tries again after its endpoint's queue was full, in ms. The maximum is twice as long.
 */
const POSTPONE_MS = 5_000;

/**
 * Runs the effects that the machine requires: model turns, attempts of tool calls, and calls to tools that run inside
 * the gateway.
 */
export class EffectRunner {
  readonly #dependencies: RunDependencies;
  readonly #subject: RunSubject;
  readonly #owner: EffectOwner;
  readonly #sampling: Sampling;
  readonly #running = new Map<string, RunningEffect>();
  /**
   * Recorded attempts that found their endpoint's queue full, each with the time of its next try in ms since the epoch.
   */
  readonly #postponed = new Map<string, number>();
  /** The time of the next poll of each task that is not being polled, in ms since the epoch. */
  readonly #polls = new Map<string, number>();
  /** Aborts the current model turn. */
  #turns: AbortController | undefined;
  /** The last model turn whose provider was reported as unreachable. */
  #reportedTurn = 0;
  #isDraining = false;

  constructor(dependencies: RunDependencies, subject: RunSubject, owner: EffectOwner) {
    this.#dependencies = dependencies;
    this.#subject = subject;
    this.#owner = owner;
    this.#sampling = new Sampling({ ...dependencies, ...subject, state: owner.state });
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Whether effects are running and each of them waits for a slot of its endpoint. */
  get isQueued(): boolean {
    for (const { isQueued } of this.#running.values()) if (!isQueued) return false;
    return this.#running.size > 0;
  }

  /**
   * Time at which the earliest postponed attempt tries again, in ms since the epoch; undefined if none is postponed.
   */
  get nextRetryAt(): number | undefined {
    return this.#postponed.size === 0 ? undefined : Math.min(...this.#postponed.values());
  }

  /** Time of the next poll of a task, in ms since the epoch; undefined if none is scheduled. */
  get nextPollAt(): number | undefined {
    return this.#polls.size === 0 ? undefined : Math.min(...this.#polls.values());
  }

  get modelCallsOf(): Sampling["modelCallsOf"] {
    return this.#sampling.modelCallsOf;
  }

  /** Starts the effects that the state requires, and aborts those that it no longer needs. */
  update(state: ExecutionState): void {
    const effects = outstanding(state, this.#subject.config);
    if (this.#running.size > 0 || this.#postponed.size > 0 || this.#polls.size > 0) this.#endAllExcept(effects);
    const now = this.#dependencies.now();
    for (const effect of effects) {
      if (this.#isPostponed(effect, now)) continue;
      const running = this.#running.get(effect.key);
      if (running !== undefined) abortIfObsolete(effect, running);
      // A recorded attempt is sent even while the run drains. Otherwise the log would show an attempt that may have
      // reached its target.
      else if (!this.#isDraining || effect.type === "attempt") this.#start(effect, state);
    }
  }

  /**
   * Starts a model turn before it is recorded, if the state requires nothing else. A model turn can be repeated, so
   * nothing has to be durable before it.
   *
   * @returns the key of the effect, or undefined if nothing was started.
   */
  startModelTurnEarly(state: ExecutionState): string | undefined {
    const [effect, ...others] = outstanding(state, this.#subject.config);
    if (effect?.type !== "model" || others.length > 0 || this.#running.has(effect.key)) return undefined;
    // Subscribers must not read the text of a model turn that is not in the log yet.
    const hasSubscribers = this.#dependencies.deltas.hasSubscribers(this.#subject.execution.id);
    if (this.#isDraining || hasSubscribers) return undefined;
    this.#start(effect, state);
    return effect.key;
  }

  #endAllExcept(effects: readonly Effect[]): void {
    const wanted = new Set(effects.map((effect) => effect.key));
    for (const [key, { controller }] of this.#running) if (!wanted.has(key)) controller.abort(ABORTED);
    for (const planned of [this.#postponed, this.#polls]) {
      for (const key of planned.keys()) if (!wanted.has(key)) planned.delete(key);
    }
  }

  /** Aborts an effect and ignores its outcome. */
  drop(key: string): void {
    this.#running.get(key)?.controller.abort(ABORTED);
    this.#running.delete(key);
  }

  /** Stops starting effects, except for recorded attempts, and ends those that any other process can run instead. */
  drain(): void {
    this.#isDraining = true;
    for (const running of this.#running.values()) withdraw(running);
  }

  /** Ends all effects, because this process no longer runs the execution. */
  abortAll(): void {
    for (const { controller } of this.#running.values()) controller.abort(HANDED_OVER);
  }

  /**
   * Returns whether the attempt is postponed. An attempt that may no longer be sent is never postponed: it runs
   * immediately, which ends it.
   */
  #isPostponed(effect: Effect, now: number): boolean {
    if (effect.type === "task") {
      const at = this.#polls.get(effect.key) ?? effect.notBefore;
      if (at > now) this.#polls.set(effect.key, at);
      else this.#polls.delete(effect.key);
      return at > now;
    }
    const isOver = effect.type === "attempt" && (effect.isAborted || effect.isTooLateToSend);
    if (!isOver && (this.#postponed.get(effect.key) ?? 0) > now) return true;
    this.#postponed.delete(effect.key);
    return false;
  }

  #start(effect: Effect, state: ExecutionState): void {
    const { type, key } = effect;
    const controller = type === "model" ? this.#turnController() : new Cancellation();
    const unsent = type === "attempt" ? new Cancellation() : undefined;
    const running = { type, controller, unsent, isQueued: false, isWithdrawn: false };
    this.#running.set(key, running);
    this.#subject.onActivity();
    abortIfObsolete(effect, running);
    void (effect.type === "task" ? this.#performTask(effect, running) : this.#perform(effect, state, running));
  }

  /** Model turns follow one another, so they share a controller until it is aborted. */
  #turnController(): AbortController {
    if (this.#turns === undefined || this.#turns.signal.aborted) this.#turns = new AbortController();
    return this.#turns;
  }

  /** Runs an effect from its start to its report. Never rejects. */
  async #perform(effect: ModelEffect | CallEffect, state: ExecutionState, running: RunningEffect): Promise<void> {
    const { onReport, onLost } = this.#owner;
    const { signal } = running.controller;
    try {
      const report = await (effect.type === "model"
        ? this.#runModelTurn(effect, state, toAbortSignal(signal))
        : this.#runToolCall(effect, running));
      if (report === undefined) return onLost();
      if (running.isWithdrawn) throw new QueueFullError("expected to stay in the endpoint's queue");
      if (effect.type !== "model" || !signal.aborted) onReport(report);
    } catch (error) {
      if (error instanceof QueueFullError) this.#postpone(effect.key);
      else if (!signal.aborted) this.#dependencies.onError(error, this.#subject.execution.id);
    } finally {
      this.#end(effect, running);
    }
  }

  /** Polls a task once. If the task is still working, schedules the next poll. Never rejects. */
  async #performTask(effect: TaskEffect, running: RunningEffect): Promise<void> {
    const { onReport, onLost, regain, assertOwned } = this.#owner;
    const { execution, toolset } = this.#subject;
    const { now, onError } = this.#dependencies;
    const { signal } = running.controller;
    const onDefect = (error: unknown) => onError(error, execution.id);
    try {
      const tool = toolOfCall(toolset, effect.call);
      const progress = await followTask(effect, { execution, tool, signal, assertOwned, regain, onDefect });
      if (progress === undefined) return onLost();
      // A request that is no longer wanted is sent again by the next owner, if at all.
      if (signal.aborted) return;
      this.#polls.set(effect.key, "nextAt" in progress ? progress.nextAt : now() + effect.task.pollIntervalMs);
      if ("nextAt" in progress) return;
      onReport({ input: { type: "task_reported", toolCallId: effect.call.id, outcome: progress.outcome } });
    } finally {
      this.#end(effect, running);
    }
  }

  #end({ key }: Effect, running: RunningEffect): void {
    // A dropped early model turn may run again under the same key.
    if (this.#running.get(key) === running) this.#running.delete(key);
    this.#subject.onActivity();
    this.#owner.onEnd();
  }

  /** Postpones an attempt by a random time, so that attempts that were postponed together do not try again together. */
  #postpone(key: string): void {
    const { now, random } = this.#dependencies;
    this.#postponed.set(key, Math.round(now() + POSTPONE_MS * (1 + random())));
  }

  #runModelTurn({ turn, attempt }: ModelEffect, state: ExecutionState, signal: AbortSignal): Promise<EffectReport> {
    const { models, deltas, newId, newFrameNonce, onError } = this.#dependencies;
    const { execution, newCallId } = this.#subject;
    return runModelTurn(
      {
        ...this.#subject,
        models,
        state,
        assistantMessages: this.#owner.assistantMessages,
        newToolCallId: () => newCallId("toolCall"),
        newApprovalId: () => newId("approval"),
        newFrameNonce,
        onDefect: (error) => onError(error, execution.id),
        onUnreachable: (unreachable) => this.#reportUnreachable(unreachable, turn),
      },
      { number: turn, attempt, signal, partialText: deltas.begin({ executionId: execution.id, turn, attempt }) },
    );
  }

  #reportUnreachable(unreachable: UnreachableProvider, turn: number): void {
    if (this.#reportedTurn === turn) return;
    this.#reportedTurn = turn;
    this.#dependencies.onUnreachable?.(unreachable, this.#subject.execution.id);
  }

  #runToolCall(effect: CallEffect, running: RunningEffect): Promise<EffectReport | undefined> {
    const { now, onError } = this.#dependencies;
    const { execution, toolset, config, recorded, onActivity } = this.#subject;
    const { state, onLate, onProgress, assertOwned, regain } = this.#owner;
    const outcome = recorded?.outcomeOf(effect.call, state());
    if (outcome !== undefined && effect.type === "attempt") throw new Error("expected a recorded call to send nothing");
    if (outcome !== undefined) return Promise.resolve({ input: toRecordedInput(effect.call, outcome) });
    const tool = toolOfCall(toolset, effect.call);
    const timeoutMs = config.tools.get(toolKey(effect.call))?.timeoutMs;
    if (tool === undefined || timeoutMs === undefined)
      throw new Error("expected an effect of one of the agent's tools");
    return runToolCall(effect, {
      execution,
      tool,
      primitiveOrdinal: primitiveOrdinalOf(state(), effect.call, config),
      assertOwned,
      toolLoading: toolLoadingOf(state()),
      deadlines: () => deadlinesOf(state(), timeoutMs, now()),
      sampling: this.#sampling,
      signals: { signal: running.controller.signal, ...defined({ unsentSignal: running.unsent?.signal }) },
      onQueued: (isQueued) => {
        running.isQueued = isQueued;
        if (this.#isDraining) withdraw(running);
        onActivity();
      },
      ...{ onLate, onProgress, regain },
      onDefect: (error) => onError(error, execution.id),
    });
  }
}

/** Aborts an effect that the machine no longer waits for, or an unsent attempt that may no longer be sent. */
function abortIfObsolete(effect: Effect, { controller, unsent }: RunningEffect): void {
  if (effect.type === "model" || effect.type === "task") return;
  if (effect.isAborted) controller.abort(ABORTED);
  if (effect.type === "attempt" && effect.isTooLateToSend) unsent?.abort(ABORTED);
}

/**
 * Ends a model turn, a poll of a task, or an attempt that is waiting for a slot, because any process can run
 * those. Does not end a call that was sent.
 */
function withdraw(running: RunningEffect): void {
  const { type, controller, unsent, isQueued } = running;
  if (type === "model" || type === "task") controller.abort(ABORTED);
  if (type !== "attempt" || !isQueued) return;
  running.isWithdrawn = true;
  unsent?.abort(ABORTED);
}

/**
 * Returns the number of this call in the sequence of the execution's calls to primitives, starting at 1, in the order
 * in which the model requested them; undefined for a call to another tool. Calls that were rejected before any attempt
 * don't count.
 */
function primitiveOrdinalOf(state: ExecutionState, { id }: CallState, { tools }: ExecutionConfig): number | undefined {
  const isCounted = (call: CallState) =>
    tools.get(call.name)?.isPrimitive === true && (call.attempts.length > 0 || !isClosed(call));
  const index = state.turns
    .flatMap(({ calls }) => calls)
    .filter(isCounted)
    .findIndex((call) => call.id === id);
  return index === -1 ? undefined : index + 1;
}

function toolLoadingOf(state: ExecutionState): CallContext["toolLoading"] {
  if (state.toolSearch === null) return undefined;
  return { loaded: new Set(state.loadedTools.map(({ name }) => name)), room: roomForTools(state) };
}

/** Returns the input for a call whose outcome is recorded. */
function toRecordedInput({ id: toolCallId }: CallState, outcome: RecordedOutcome): MachineInput {
  if ("divergence" in outcome) return { type: "replay_diverged", toolCallId, message: outcome.divergence };
  return { type: "inline_finished", toolCallId, outcome, cost: { usd: 0, credits: 0 }, via: "recording" };
}
