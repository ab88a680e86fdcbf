import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import type { AssistantPart, UnreachableProvider } from "@yagate/models/port";
import type { ExecutionEvent } from "@yagate/protocol";
import type { AttemptExchange, EventEntry } from "@yagate/store/port";
import { projectResult } from "../../projection/project-result.ts";
import type { ScheduledRun } from "../../scheduler/port.ts";
import { QueueFullError } from "../../tools/port.ts";
import type { NewApprovalRequest } from "../approvals/approval-request.ts";
import { askedApprovals } from "../approvals/asked-approvals.ts";
import { advance, record, type Step } from "../machine/advance.ts";
import { type Effect, outstanding, suspendUntil, wakeAt } from "../machine/effects.ts";
import { fold } from "../machine/fold.ts";
import type { MachineInput } from "../machine/inputs.ts";
import { primitiveOrdinalOf } from "../machine/primitive-ordinal.ts";
import { type ExecutionState, initialState } from "../machine/state.ts";
import { Sampling } from "../sampling/sampling.ts";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";
import { toSummary } from "../service/views.ts";
import { parseAssistantMessage, toConversation } from "./conversation.ts";
import { areQueued, type InFlight, leaveToOthers, OVER, stopIfOver, toInFlight } from "./in-flight.ts";
import { type LateInput, LateResponses } from "./late-responses.ts";
import { PostponedAttempts } from "./postponed-attempts.ts";
import type { RunDependencies, RunSubject } from "./run-dependencies.ts";
import { runModelTurn } from "./run-model-turn.ts";
import { deadlinesOf, runToolCall } from "./run-tool-call.ts";
import { toolsetFor } from "./toolset-for.ts";
import { WakeUp } from "./wake-up.ts";

/**
 * Advances one execution: folds its log, lets the machine decide, appends what it decided and only then starts what
 * follows from it. One instance an execution and owner; it holds nothing that the journal could not give back.
 */
export class ExecutionRun implements ScheduledRun {
  readonly done: Promise<void>;
  readonly #dependencies: RunDependencies;
  readonly #subject: RunSubject;
  readonly #inFlight = new Map<string, InFlight>();
  /** A model turn that was begun before the commit that asks for it. */
  #earlyTurn: string | undefined;
  readonly #assistantMessages = new Map<number, readonly AssistantPart[]>();
  #state: ExecutionState;
  #inputs: MachineInput[];
  #exchanges: AttemptExchange[] = [];
  /** What came late as long as an event could say it: the end may overtake that. */
  readonly #late: LateResponses;
  /** What people are asked, until it is in the journal. */
  readonly #drafts = new Map<string, NewApprovalRequest>();
  readonly #questions: Sampling;
  readonly #postponed = new PostponedAttempts();
  #seenSeq = 0;
  /** The lease's term in which the journal last said that this is the owner. */
  #ownedInTerm = 0;
  /** The last turn whose provider was reported as unreachable. */
  #reportedTurn = 0;
  /** Aborted when it is over: ended, taken over, or dropped. */
  readonly #over = new AbortController();
  #isSuspended = false;
  readonly #wakeUp = new WakeUp();

  constructor(dependencies: RunDependencies, subject: RunSubject) {
    this.#dependencies = dependencies;
    this.#subject = subject;
    this.#state = initialState(subject.execution.id);
    this.#questions = new Sampling({ ...dependencies, ...subject, state: () => this.#state });
    this.#inputs = [{ type: subject.isRecovered ? "recovered" : "tick" }];
    const { eventStore, now, onError } = dependencies;
    const { id: executionId } = subject.execution;
    this.#late = new LateResponses({ executionId, eventStore, now, onError: (error) => onError(error, executionId) });
    const unsubscribe = eventStore.subscribe(executionId, (entries) => this.#onEntries(entries));
    this.done = this.#run().finally(() => {
      this.#over.abort(OVER);
      unsubscribe();
      for (const { controller } of this.#inFlight.values()) controller.abort(OVER);
      this.#late.keepUntold(this.#state);
    });
  }

  get isWaiting(): boolean {
    return this.#state.status === "waiting" || this.isQueued;
  }

  get isQueued(): boolean {
    return areQueued(this.#inFlight.values());
  }

  suspend(): void {
    this.#isSuspended = true;
    for (const inFlight of this.#inFlight.values()) leaveToOthers(inFlight);
    this.#wakeUp.now();
  }

  abort(): void {
    this.#over.abort(OVER);
    this.#wakeUp.now();
  }

  async #run(): Promise<void> {
    if (this.#subject.execution.lastSeq > 0) await this.#catchUp();
    while (!this.#over.signal.aborted) {
      if (this.#seenSeq > this.#state.lastSeq) await this.#catchUp();
      const isOurs = await this.#step();
      if (!isOurs || this.#state.finishedAt !== null) return;
      // A report that came in during the append is not in the state yet: its call would look as if it had to be started.
      if (this.#inputs.length > 0) continue;
      this.#startEffects();
      const at = this.#inFlight.size === 0 ? this.#suspendUntil() : undefined;
      if (this.#isSuspended && this.#inFlight.size === 0 && at === undefined) return;
      if (at === undefined) await this.#nextReport();
      else if (await this.#suspend(at)) return;
    }
  }

  /** Appends what follows from the reports that came in; false when another owner has taken over. */
  async #step(): Promise<boolean> {
    let batches = [this.#inputs];
    const exchanges = this.#exchanges;
    this.#inputs = [];
    this.#exchanges = [];
    for (;;) {
      const step = await this.#decide(batches);
      if (step.events.length === 0) return true;
      const outcome = await this.#append(step.events, step.state, exchanges);
      if (outcome === "taken_over") return false;
      if (outcome === "appended") {
        this.#earlyTurn = undefined;
        this.#setState(step.state);
        return true;
      }
      batches = this.#withoutEarlyTurn(batches);
      await this.#catchUp();
    }
  }

  /** A command came in before the commit: the early turn has read a conversation that it may have changed. */
  #withoutEarlyTurn([first = [], ...later]: readonly MachineInput[][]): MachineInput[][] {
    const key = this.#earlyTurn;
    if (key === undefined) return [first, ...later];
    this.#earlyTurn = undefined;
    this.#inFlight.get(key)?.controller.abort(OVER);
    this.#inFlight.delete(key);
    const isKept = ({ type }: MachineInput) => type !== "model_responded" && type !== "model_failed";
    this.#inputs = this.#inputs.filter(isKept);
    return [first, ...later.map((inputs) => inputs.filter(isKept))];
  }

  /**
   * What follows from the reports, one batch after the other. If all that follows is a model turn, it begins at once:
   * it can be repeated, so nothing need be durable before it, and what it brings right away shares the commit.
   */
  async #decide(batches: MachineInput[][]): Promise<Step> {
    const events: ExecutionEvent[] = [];
    let state = this.#state;
    for (const inputs of batches) {
      const step = this.#advance(state, inputs);
      events.push(...step.events);
      state = step.state;
      if (inputs !== batches.at(-1) || !this.#beginModelTurn(state)) continue;
      await yieldToEventLoop();
      if (this.#inputs.length > 0) batches.push(this.#inputs.splice(0));
    }
    return { events, state };
  }

  #advance(state: ExecutionState, inputs: readonly MachineInput[]): Step {
    const { now, random, newId } = this.#dependencies;
    const { modelCallsOf } = this.#questions;
    const newAttemptId = () => newId("attempt");
    const environment = { now: now(), random, modelCallsOf, newAttemptId, project: projectResult };
    const follow = this.#isSuspended ? record : advance;
    return follow(state, inputs, this.#subject.config, environment);
  }

  #beginModelTurn(state: ExecutionState): boolean {
    const [effect, ...others] = outstanding(state, this.#subject.config);
    if (effect?.type !== "model" || others.length > 0 || this.#inFlight.has(effect.key)) return false;
    // Who listens must not read words of a turn that the log does not know yet.
    const hasSubscribers = this.#dependencies.deltas.hasSubscribers(this.#subject.execution.id);
    if (this.#isSuspended || hasSubscribers) return false;
    this.#earlyTurn = effect.key;
    this.#start(effect, state);
    return true;
  }

  async #append(events: readonly ExecutionEvent[], state: ExecutionState, exchanges: readonly AttemptExchange[]) {
    const { eventStore, lease } = this.#dependencies;
    const { id, epoch } = this.#subject.execution;
    const approvals = askedApprovals(events, this.#drafts);
    const append = {
      executionId: id,
      expectedSeq: this.#state.lastSeq,
      epoch,
      entries: events.map((event) => this.#toEntry(event)),
      summary: toSummary(state),
      ...(exchanges.length === 0 ? {} : { exchanges }),
      ...(approvals.length === 0 ? {} : { approvals }),
    };
    const { term } = lease;
    const outcome = await this.#retryWhileUnavailable(() => eventStore.append(append));
    if (outcome !== "appended") return outcome;
    this.#ownedInTerm = term;
    for (const { id: approvalId } of approvals) this.#drafts.delete(approvalId);
    return outcome;
  }

  #retryWhileUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
    const { onError } = this.#dependencies;
    const { id } = this.#subject.execution;
    return retryWhileUnavailable(work, { signal: this.#over.signal, onRefusal: (error) => onError(error, id) });
  }

  #toEntry(event: ExecutionEvent): EventEntry {
    if (event.type !== "model.responded") return { event };
    const parts = this.#assistantMessages.get(event.turn);
    return parts === undefined ? { event } : { event, assistantMessage: parts };
  }

  /** Folds what others appended: the log of an earlier owner, or commands of the API. */
  async #catchUp(): Promise<void> {
    const { eventStore } = this.#dependencies;
    const { id } = this.#subject.execution;
    const entries = await this.#retryWhileUnavailable(() => eventStore.entries(id, this.#state.lastSeq));
    let state = this.#state;
    for (const { event, assistantMessage } of entries) {
      state = fold(state, event);
      if (event.type === "model.responded" && assistantMessage !== undefined) {
        this.#assistantMessages.set(event.turn, parseAssistantMessage(assistantMessage));
      }
    }
    this.#setState(state);
  }

  #setState(state: ExecutionState): void {
    this.#state = state;
    this.#seenSeq = Math.max(this.#seenSeq, state.lastSeq);
    this.#subject.onActivity();
  }

  #onEntries(entries: readonly EventEntry[]): void {
    this.#seenSeq = Math.max(this.#seenSeq, entries.at(-1)?.event.seq ?? 0);
    if (this.#seenSeq > this.#state.lastSeq) this.#wakeUp.now();
  }

  #startEffects(): void {
    const effects = outstanding(this.#state, this.#subject.config);
    const wanted = new Set(effects.map((effect) => effect.key));
    for (const [key, { controller }] of this.#inFlight) if (!wanted.has(key)) controller.abort(OVER);
    const { now } = this.#dependencies;
    this.#postponed.keep(wanted);
    for (const effect of effects) {
      if (this.#postponed.holdBack(effect, now())) continue;
      const running = this.#inFlight.get(effect.key);
      if (running !== undefined) stopIfOver(effect, running);
      // An attempt whose intent is in the log is sent even now: left out, it would count as one that may have been.
      if (running === undefined && (!this.#isSuspended || effect.type === "attempt")) this.#start(effect, this.#state);
    }
  }

  #start(effect: Effect, state: ExecutionState): void {
    const inFlight = toInFlight(effect);
    this.#inFlight.set(effect.key, inFlight);
    this.#subject.onActivity();
    stopIfOver(effect, inFlight);
    const work =
      effect.type === "model" ? this.#model(effect, state, inFlight.controller) : this.#call(effect, inFlight);
    work
      .catch((error) => {
        const { now, random } = this.#dependencies;
        if (error instanceof QueueFullError) this.#postponed.add(effect.key, now(), random());
        else if (!inFlight.controller.signal.aborted) this.#dependencies.onError(error, this.#subject.execution.id);
      })
      .finally(() => {
        // An early turn that was dropped may have been begun anew under the same key.
        if (this.#inFlight.get(effect.key) === inFlight) this.#inFlight.delete(effect.key);
        this.#subject.onActivity();
        this.#wakeUp.now();
      });
  }

  async #model(
    effect: Extract<Effect, { type: "model" }>,
    state: ExecutionState,
    controller: AbortController,
  ): Promise<void> {
    const { models, deltas, newId, newFrameNonce, onError } = this.#dependencies;
    const { execution } = this.#subject;
    const { toolset, canReadArtifacts } = toolsetFor(state, this.#subject.toolset);
    const { turn, attempt } = effect;
    const draft = deltas.begin({ executionId: execution.id, turn, attempt });
    const report = await runModelTurn(
      {
        ...this.#subject,
        models,
        toolset,
        state,
        newToolCallId: () => newId("toolCall"),
        newApprovalId: () => newId("approval"),
        newFrameNonce,
        onDefect: (error) => onError(error, execution.id),
        onUnreachable: (unreachable) => this.#reportUnreachable(unreachable, effect.turn),
      },
      {
        number: effect.turn,
        attempt: effect.attempt,
        toMessages: () => toConversation(state, execution.request.input, this.#assistantMessages, canReadArtifacts),
        signal: controller.signal,
        onTextDelta: draft?.write,
      },
    ).finally(() => draft?.end());
    if (controller.signal.aborted) return;
    this.#assistantMessages.set(effect.turn, report.parts);
    for (const draft of report.approvals) this.#drafts.set(draft.id, draft);
    this.#inputs.push(report.input);
  }

  #reportUnreachable(unreachable: UnreachableProvider, turn: number): void {
    if (this.#reportedTurn === turn) return;
    this.#reportedTurn = turn;
    this.#dependencies.onUnreachable?.(unreachable, this.#subject.execution.id);
  }

  async #call(effect: Extract<Effect, { type: "attempt" | "inline" }>, inFlight: InFlight): Promise<void> {
    const { lease, now, onError, eventStore } = this.#dependencies;
    const { execution, toolset, config, onActivity } = this.#subject;
    const { name } = effect.call;
    const tool = toolset.tools.get(name) ?? toolset.withArtifacts.tools.get(name);
    const timeoutMs = config.tools.get(name)?.timeoutMs;
    if (tool === undefined || timeoutMs === undefined)
      throw new Error("expected an effect of one of the agent's tools");
    const report = await runToolCall(effect, {
      execution,
      tool,
      primitiveOrdinal: primitiveOrdinalOf(this.#state, effect.call, config),
      assertOwned: () => lease.assertHeld(this.#ownedInTerm),
      deadlines: () => deadlinesOf(this.#state, timeoutMs, now()),
      questions: this.#questions,
      signals: { signal: inFlight.controller.signal, unsentSignal: inFlight.unsent.signal },
      onQueued: (isQueued) => {
        inFlight.isQueued = isQueued;
        if (this.#isSuspended) leaveToOthers(inFlight);
        onActivity();
      },
      onLate: (late) => this.#take(late),
      regain: () =>
        this.#retryWhileUnavailable(async () => {
          await lease.held();
          const { term } = lease;
          const row = await eventStore.find(execution.id, execution.workspaceId);
          if (row?.epoch !== execution.epoch) return false;
          this.#ownedInTerm = term;
          return true;
        }),
      onDefect: (error) => onError(error, execution.id),
    });
    if (report === undefined) return this.abort();
    if (inFlight.isWithdrawn) throw new QueueFullError("expected to go on in the endpoint's queue");
    this.#inputs.push(report.input);
    if (report.exchange !== undefined) this.#exchanges.push(report.exchange);
  }

  /** Takes word that nobody waits for. */
  #take(late: LateInput): void {
    if (this.#over.signal.aborted) return this.#late.keep(late);
    this.#late.take(late);
    this.#inputs.push(late);
    this.#wakeUp.now();
  }

  /** Until when nothing but time can move the execution on, now that nothing of it is under way. */
  #suspendUntil(): number | undefined {
    const { now } = this.#dependencies;
    const { config } = this.#subject;
    const at = this.#postponed.next;
    if (at !== undefined) return Math.min(at, wakeAt(this.#state, config, now()) ?? at);
    return this.#isSuspended ? undefined : suspendUntil(this.#state, config, now());
  }

  /** Lays the execution down; false when a command came in first. */
  async #suspend(at: number): Promise<boolean> {
    const { eventStore } = this.#dependencies;
    const { id: executionId, epoch } = this.#subject.execution;
    const release = { executionId, epoch, expectedSeq: this.#state.lastSeq, wakeAt: at };
    const outcome = await this.#retryWhileUnavailable(() => eventStore.release(release));
    if (outcome === "behind") await this.#catchUp();
    return outcome !== "behind";
  }

  /** Sleeps until a report, a command, or the moment that the machine asked for. */
  async #nextReport(): Promise<void> {
    if (this.#inputs.length > 0 || this.#seenSeq > this.#state.lastSeq || this.#over.signal.aborted) return;
    const { now } = this.#dependencies;
    const moments = [
      this.#isSuspended ? undefined : wakeAt(this.#state, this.#subject.config, now()),
      this.#postponed.next,
    ];
    const at = Math.min(...moments.filter((moment) => moment !== undefined));
    await this.#wakeUp.sleep(Number.isFinite(at) ? at - now() : undefined);
  }
}
