import type { AssistantPart, UnreachableProvider } from "@yagate/models/port";
import type { AttemptExchange } from "@yagate/store/port";
import { QueueFullError } from "../../tools/port.ts";
import type { NewApprovalRequest } from "../approvals/approval-request.ts";
import { type Effect, outstanding } from "../machine/effects.ts";
import type { ExecutionConfig } from "../machine/execution-config.ts";
import type { MachineInput } from "../machine/inputs.ts";
import { type CallState, type ExecutionState, isClosed } from "../machine/state.ts";
import { Sampling } from "../sampling/sampling.ts";
import type { LateInput } from "./late-responses.ts";
import type { RunDependencies, RunSubject } from "./run-dependencies.ts";
import { runModelTurn } from "./run-model-turn.ts";
import { deadlinesOf, runToolCall } from "./run-tool-call.ts";

type ModelEffect = Extract<Effect, { type: "model" }>;
type CallEffect = Extract<Effect, { type: "attempt" | "inline" }>;

/** What came of an effect: an input for the machine, and what is stored beside the events that follow from it. */
export interface EffectReport {
  readonly input: MachineInput;
  /** Of a model turn: its message and the approval requests of its calls. */
  readonly parts?: readonly AssistantPart[];
  readonly approvals?: readonly NewApprovalRequest[];
  /** Of an attempt: the messages that were exchanged. */
  readonly exchange?: AttemptExchange;
}

/** The run that effects belong to. */
export interface EffectOwner {
  readonly state: () => ExecutionState;
  readonly assistantMessages: ReadonlyMap<number, readonly AssistantPart[]>;
  readonly onReport: (report: EffectReport) => void;
  readonly onLate: (input: LateInput) => void;
  /** An effect has ended, with or without a report. */
  readonly onEnd: () => void;
  /** Another owner has taken over. */
  readonly onLost: () => void;
  /** @throws LeaseLapsedError when another owner may have taken over. */
  readonly assertOwned: () => void;
  /** Waits until the lease is held again; false when another owner has taken over by then. */
  readonly regain: () => Promise<boolean>;
}

interface RunningEffect {
  readonly type: Effect["type"];
  readonly controller: AbortController;
  /** Aborted when the request may no longer be sent; a request that has been sent continues. */
  readonly unsent: AbortController;
  /** It waits for a slot of its endpoint. */
  isQueued: boolean;
  /** It left the queue of its endpoint unsent, so that any process can send it later. */
  isWithdrawn: boolean;
}

// One for all: an abort without a reason creates a DOMException with a stack that no code reads.
export const ABORTED = new Error("the execution no longer waits for this");

/** How long an attempt waits after its endpoint's queue was full, in ms: at least this, and up to twice as long. */
const POSTPONE_MS = 5_000;

/** Performs what the machine asks for: model turns, attempts of tool calls, and calls of tools inside the gateway. */
export class EffectRunner {
  readonly #dependencies: RunDependencies;
  readonly #subject: RunSubject;
  readonly #owner: EffectOwner;
  readonly #sampling: Sampling;
  readonly #running = new Map<string, RunningEffect>();
  /** Attempts that are in the log but found their endpoint's queue full; when each tries again, ms since the epoch. */
  readonly #postponed = new Map<string, number>();
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

  /** Whether effects are running, and each of them waits for a slot of its endpoint. */
  get isQueued(): boolean {
    for (const { isQueued } of this.#running.values()) if (!isQueued) return false;
    return this.#running.size > 0;
  }

  /** When the first postponed attempt tries again, ms since the epoch; undefined: none is postponed. */
  get nextRetryAt(): number | undefined {
    return this.#postponed.size === 0 ? undefined : Math.min(...this.#postponed.values());
  }

  get modelCallsOf(): Sampling["modelCallsOf"] {
    return this.#sampling.modelCallsOf;
  }

  /** Starts what the state asks for, and aborts what it no longer waits for. */
  update(state: ExecutionState): void {
    const effects = outstanding(state, this.#subject.config);
    const wanted = new Set(effects.map((effect) => effect.key));
    for (const [key, { controller }] of this.#running) if (!wanted.has(key)) controller.abort(ABORTED);
    for (const key of this.#postponed.keys()) if (!wanted.has(key)) this.#postponed.delete(key);
    const now = this.#dependencies.now();
    for (const effect of effects) {
      if (this.#isPostponed(effect, now)) continue;
      const running = this.#running.get(effect.key);
      if (running !== undefined) abortIfObsolete(effect, running);
      // A recorded attempt is sent even while the run drains: left out, it would count as one that may have arrived.
      else if (!this.#isDraining || effect.type === "attempt") this.#start(effect, state);
    }
  }

  /**
   * Starts the model turn before it is recorded, if it is all that the state asks for. It can be repeated, so nothing
   * need be durable before it.
   *
   * @returns the key of the effect; undefined: nothing was started.
   */
  startModelTurnEarly(state: ExecutionState): string | undefined {
    const [effect, ...others] = outstanding(state, this.#subject.config);
    if (effect?.type !== "model" || others.length > 0 || this.#running.has(effect.key)) return undefined;
    // Subscribers must not read text of a model turn that the log does not have yet.
    const hasSubscribers = this.#dependencies.deltas.hasSubscribers(this.#subject.execution.id);
    if (this.#isDraining || hasSubscribers) return undefined;
    this.#start(effect, state);
    return effect.key;
  }

  /** Aborts an effect and ignores its outcome. */
  drop(key: string): void {
    this.#running.get(key)?.controller.abort(ABORTED);
    this.#running.delete(key);
  }

  /** Starts no further work except recorded attempts, and ends what another process can do just as well. */
  drain(): void {
    this.#isDraining = true;
    for (const running of this.#running.values()) withdraw(running);
  }

  abortAll(): void {
    for (const { controller } of this.#running.values()) controller.abort(ABORTED);
  }

  /** An attempt that may no longer be sent is not held back: performing it ends it. */
  #isPostponed(effect: Effect, now: number): boolean {
    const isOver = effect.type === "attempt" && (effect.isAborted || effect.isTooLateToSend);
    if (!isOver && (this.#postponed.get(effect.key) ?? 0) > now) return true;
    this.#postponed.delete(effect.key);
    return false;
  }

  #start(effect: Effect, state: ExecutionState): void {
    const [controller, unsent] = [new AbortController(), new AbortController()];
    const running = { type: effect.type, controller, unsent, isQueued: false, isWithdrawn: false };
    this.#running.set(effect.key, running);
    this.#subject.onActivity();
    abortIfObsolete(effect, running);
    const work =
      effect.type === "model"
        ? this.#performModelTurn(effect, state, controller.signal)
        : this.#perform(effect, running);
    work
      .catch((error) => {
        if (error instanceof QueueFullError) this.#postpone(effect.key);
        else if (!controller.signal.aborted) this.#dependencies.onError(error, this.#subject.execution.id);
      })
      .finally(() => {
        // An early model turn that was dropped may run again under the same key.
        if (this.#running.get(effect.key) === running) this.#running.delete(effect.key);
        this.#subject.onActivity();
        this.#owner.onEnd();
      });
  }

  /** Random, so that attempts that were postponed together do not return together. */
  #postpone(key: string): void {
    const { now, random } = this.#dependencies;
    this.#postponed.set(key, Math.round(now() + POSTPONE_MS * (1 + random())));
  }

  async #performModelTurn({ turn, attempt }: ModelEffect, state: ExecutionState, signal: AbortSignal): Promise<void> {
    const { models, deltas, newId, newFrameNonce, onError } = this.#dependencies;
    const { execution } = this.#subject;
    const partialText = deltas.begin({ executionId: execution.id, turn, attempt });
    const report = await runModelTurn(
      {
        ...this.#subject,
        models,
        state,
        assistantMessages: this.#owner.assistantMessages,
        newToolCallId: () => newId("toolCall"),
        newApprovalId: () => newId("approval"),
        newFrameNonce,
        onDefect: (error) => onError(error, execution.id),
        onUnreachable: (unreachable) => this.#reportUnreachable(unreachable, turn),
      },
      { number: turn, attempt, signal, onTextDelta: partialText?.write },
    ).finally(() => partialText?.end());
    if (!signal.aborted) this.#owner.onReport(report);
  }

  #reportUnreachable(unreachable: UnreachableProvider, turn: number): void {
    if (this.#reportedTurn === turn) return;
    this.#reportedTurn = turn;
    this.#dependencies.onUnreachable?.(unreachable, this.#subject.execution.id);
  }

  async #perform(effect: CallEffect, running: RunningEffect): Promise<void> {
    const { now, onError } = this.#dependencies;
    const { execution, toolset, config, onActivity } = this.#subject;
    const { state, onLate, onLost, onReport, assertOwned, regain } = this.#owner;
    const { name } = effect.call;
    const tool = toolset.tools.get(name) ?? toolset.withArtifacts.tools.get(name);
    const timeoutMs = config.tools.get(name)?.timeoutMs;
    if (tool === undefined || timeoutMs === undefined)
      throw new Error("expected an effect of one of the agent's tools");
    const report = await runToolCall(effect, {
      execution,
      tool,
      primitiveOrdinal: primitiveOrdinalOf(state(), effect.call, config),
      assertOwned,
      deadlines: () => deadlinesOf(state(), timeoutMs, now()),
      sampling: this.#sampling,
      signals: { signal: running.controller.signal, unsentSignal: running.unsent.signal },
      onQueued: (isQueued) => {
        running.isQueued = isQueued;
        if (this.#isDraining) withdraw(running);
        onActivity();
      },
      onLate,
      regain,
      onDefect: (error) => onError(error, execution.id),
    });
    if (report === undefined) return onLost();
    if (running.isWithdrawn) throw new QueueFullError("expected to stay in the endpoint's queue");
    onReport(report);
  }
}

/** Aborts what the machine no longer waits for, or only what has not been sent. */
function abortIfObsolete(effect: Effect, { controller, unsent }: RunningEffect): void {
  if (effect.type === "model") return;
  if (effect.isAborted) controller.abort(ABORTED);
  if (effect.type === "attempt" && effect.isTooLateToSend) unsent.abort(ABORTED);
}

/** Ends a model turn, or an attempt that waits for a slot. Any process can do these; a call that was sent is awaited. */
function withdraw(running: RunningEffect): void {
  const { type, controller, unsent, isQueued } = running;
  if (type === "model") controller.abort(ABORTED);
  if (type !== "attempt" || !isQueued) return;
  running.isWithdrawn = true;
  unsent.abort(ABORTED);
}

/**
 * Counts the execution's calls of primitives in the order in which the model requested them: 1 for the first; undefined
 * for a call of another tool. Calls that were refused before any attempt don't count.
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
