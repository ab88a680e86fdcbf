import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import type { AssistantPart } from "@yagate/models/port";
import type { ExecutionEvent } from "@yagate/protocol";
import type { AttemptExchange, EventEntry, NewApproval } from "@yagate/store/port";
import { projectResult } from "../../projection/project-result.ts";
import type { ScheduledRun } from "../../scheduler/port.ts";
import type { NewApprovalRequest } from "../approvals/approval-request.ts";
import { advance, record, type Step } from "../machine/advance.ts";
import { suspendUntil, wakeAt } from "../machine/effects.ts";
import { fold } from "../machine/fold.ts";
import type { MachineInput } from "../machine/inputs.ts";
import { type ExecutionState, initialState } from "../machine/state.ts";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";
import { toSummary } from "../service/views.ts";
import { parseAssistantMessage } from "./conversation.ts";
import { ABORTED, type EffectReport, EffectRunner } from "./effect-runner.ts";
import { type LateInput, LateResponses } from "./late-responses.ts";
import type { RunDependencies, RunSubject } from "./run-dependencies.ts";

/**
 * Advances one execution. It folds the log, lets the machine decide which events follow, appends those events, and only
 * then starts the effects that they require. Each owner of an execution has one run for it. Everything that a run keeps
 * in memory can be read again from the event store.
 */
export class ExecutionRun implements ScheduledRun {
  readonly done: Promise<void>;
  readonly #dependencies: RunDependencies;
  readonly #subject: RunSubject;
  readonly #effects: EffectRunner;
  readonly #late: LateResponses;
  #state: ExecutionState;
  /**
   * Number of the last event that is known to be in the log. If it is greater than the number of the last event in the
   * state, another process has appended events.
   */
  #seenSeq = 0;
  /** Inputs that effects have reported since the last append. */
  #inputs: MachineInput[];
  #exchanges: AttemptExchange[] = [];
  readonly #assistantMessages = new Map<number, readonly AssistantPart[]>();
  /** Approval requests that are not stored yet, by their ids. */
  readonly #approvalRequests = new Map<string, NewApprovalRequest>();
  /** Key of a model turn that was started before its `model.requested` event was committed. */
  #earlyTurn: string | undefined;
  /** Term of the lease in which the event store last confirmed this owner. */
  #ownedInTerm = 0;
  #isDraining = false;
  /**
   * Aborted when the run is over, because the execution has ended, was suspended or has another owner, or because the
   * run was aborted.
   */
  readonly #over = new AbortController();
  readonly #sleeper = new Sleeper();

  constructor(dependencies: RunDependencies, subject: RunSubject) {
    this.#dependencies = dependencies;
    this.#subject = subject;
    this.#state = initialState(subject.execution.id);
    this.#inputs = [{ type: subject.isRecovered ? "recovered" : "tick" }];
    this.#effects = new EffectRunner(dependencies, subject, {
      state: () => this.#state,
      assistantMessages: this.#assistantMessages,
      onReport: (report) => this.#take(report),
      onLate: (late) => this.#takeLate(late),
      onEnd: () => this.#sleeper.wake(),
      onLost: () => this.abort(),
      assertOwned: () => dependencies.lease.assertHeld(this.#ownedInTerm),
      regain: () => this.#regain(),
    });
    const { eventStore, now, onError } = dependencies;
    const { id: executionId } = subject.execution;
    this.#late = new LateResponses({ executionId, eventStore, now, onError: (error) => onError(error, executionId) });
    const unsubscribe = eventStore.subscribe(executionId, (entries) => this.#onAppended(entries));
    this.done = this.#run().finally(() => {
      this.#over.abort(ABORTED);
      unsubscribe();
      this.#effects.abortAll();
      this.#late.keepUnrecorded(this.#state);
    });
  }

  get isWaiting(): boolean {
    return this.#state.status === "waiting" || this.isQueued;
  }

  get isQueued(): boolean {
    return this.#effects.isQueued;
  }

  drain(): void {
    this.#isDraining = true;
    this.#effects.drain();
    this.#sleeper.wake();
  }

  abort(): void {
    this.#over.abort(ABORTED);
    this.#sleeper.wake();
  }

  async #run(): Promise<void> {
    if (this.#subject.execution.lastSeq > 0) await this.#catchUp();
    while (!this.#over.signal.aborted) {
      if (this.#isBehind) await this.#catchUp();
      const isOwner = await this.#step();
      if (!isOwner || this.#state.finishedAt !== null) return;
      // The state lacks inputs that arrived during the append. Updating the effects now would restart the effects that
      // these inputs ended.
      if (this.#inputs.length > 0) continue;
      this.#effects.update(this.#state);
      const { isIdle } = this.#effects;
      const resumeAt = isIdle ? this.#suspendUntil() : undefined;
      if (resumeAt !== undefined) {
        if (await this.#suspend(resumeAt)) return;
      } else {
        if (this.#isDraining && isIdle) return;
        await this.#sleep();
      }
    }
  }

  /** Appends the events that follow from the inputs. Returns false if another owner has taken over. */
  async #step(): Promise<boolean> {
    let batches = [this.#inputs];
    const exchanges = this.#exchanges;
    this.#inputs = [];
    this.#exchanges = [];
    for (;;) {
      const step = await this.#decide(batches);
      if (step.events.length === 0) return true;
      const outcome = await this.#append(step, exchanges);
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

  /**
   * Returns the events that follow from the inputs, batch by batch. If only a model turn follows, it is started
   * immediately, so that an outcome that arrives immediately is recorded in the same commit.
   */
  async #decide(batches: MachineInput[][]): Promise<Step> {
    const events: ExecutionEvent[] = [];
    let state = this.#state;
    for (const inputs of batches) {
      const step = this.#advance(state, inputs);
      events.push(...step.events);
      state = step.state;
      const earlyTurn = inputs === batches.at(-1) ? this.#effects.startModelTurnEarly(state) : undefined;
      if (earlyTurn === undefined) continue;
      this.#earlyTurn = earlyTurn;
      await yieldToEventLoop();
      if (this.#inputs.length > 0) batches.push(this.#inputs.splice(0));
    }
    return { events, state };
  }

  #advance(state: ExecutionState, inputs: readonly MachineInput[]): Step {
    const { now, random, newId } = this.#dependencies;
    const { modelCallsOf } = this.#effects;
    const newAttemptId = () => newId("attempt");
    const environment = { now: now(), random, modelCallsOf, newAttemptId, project: projectResult };
    const follow = this.#isDraining ? record : advance;
    return follow(state, inputs, this.#subject.config, environment);
  }

  /**
   * Drops the early model turn and its outcome, because a command was appended first and may have changed the
   * conversation that the turn has read.
   */
  #withoutEarlyTurn([first = [], ...later]: readonly MachineInput[][]): MachineInput[][] {
    if (this.#earlyTurn === undefined) return [first, ...later];
    this.#effects.drop(this.#earlyTurn);
    this.#earlyTurn = undefined;
    const isKept = ({ type }: MachineInput) => type !== "model_responded" && type !== "model_failed";
    this.#inputs = this.#inputs.filter(isKept);
    return [first, ...later.map((inputs) => inputs.filter(isKept))];
  }

  async #append({ events, state }: Step, exchanges: readonly AttemptExchange[]) {
    const { eventStore, lease } = this.#dependencies;
    const { id, epoch } = this.#subject.execution;
    const approvals = events.flatMap((event) => this.#toApprovals(event));
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
    for (const { id: approvalId } of approvals) this.#approvalRequests.delete(approvalId);
    return outcome;
  }

  #toEntry(event: ExecutionEvent): EventEntry {
    if (event.type !== "model.responded") return { event };
    const parts = this.#assistantMessages.get(event.turn);
    return parts === undefined ? { event } : { event, assistantMessage: parts };
  }

  #toApprovals(event: ExecutionEvent): readonly NewApproval[] {
    if (event.type !== "approval.requested") return [];
    const request = this.#approvalRequests.get(event.approvalId);
    if (request === undefined) return [];
    return [{ ...request, requestedAt: Date.parse(event.at), expiresAt: Date.parse(event.expiresAt) }];
  }

  #setState(state: ExecutionState): void {
    this.#state = state;
    this.#seenSeq = Math.max(this.#seenSeq, state.lastSeq);
    this.#subject.onActivity();
  }

  get #isBehind(): boolean {
    return this.#seenSeq > this.#state.lastSeq;
  }

  #onAppended(entries: readonly EventEntry[]): void {
    this.#seenSeq = Math.max(this.#seenSeq, entries.at(-1)?.event.seq ?? 0);
    if (this.#isBehind) this.#sleeper.wake();
  }

  /** Folds events that this run did not append: those of an earlier owner, and commands from the API. */
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

  /** Takes the report of an effect. The end of the effect wakes the run. */
  #take({ input, parts, approvals = [], exchange }: EffectReport): void {
    if (parts !== undefined && "turn" in input) this.#assistantMessages.set(input.turn, parts);
    for (const approval of approvals) this.#approvalRequests.set(approval.id, approval);
    this.#inputs.push(input);
    if (exchange !== undefined) this.#exchanges.push(exchange);
  }

  /** Takes a response that arrived after its attempt was reported. */
  #takeLate(late: LateInput): void {
    if (this.#over.signal.aborted) return this.#late.keep(late);
    this.#late.take(late);
    this.#inputs.push(late);
    this.#sleeper.wake();
  }

  #regain(): Promise<boolean> {
    const { lease, eventStore } = this.#dependencies;
    const { id, workspaceId, epoch } = this.#subject.execution;
    return this.#retryWhileUnavailable(async () => {
      await lease.held();
      const { term } = lease;
      const row = await eventStore.find(id, workspaceId);
      if (row?.epoch !== epoch) return false;
      this.#ownedInTerm = term;
      return true;
    });
  }

  /**
   * Returns the time until which an idle execution can be suspended, in ms since the epoch; undefined if the wait is
   * too short, or if an effect must run.
   */
  #suspendUntil(): number | undefined {
    const { now } = this.#dependencies;
    const { config } = this.#subject;
    const retryAt = this.#effects.nextRetryAt;
    if (retryAt !== undefined) return Math.min(retryAt, wakeAt(this.#state, config, now()) ?? retryAt);
    return this.#isDraining ? undefined : suspendUntil(this.#state, config, now());
  }

  /** Suspends the execution until `resumeAt`, in ms since the epoch. Returns false if a command was appended first. */
  async #suspend(resumeAt: number): Promise<boolean> {
    const { eventStore } = this.#dependencies;
    const { id: executionId, epoch } = this.#subject.execution;
    const release = { executionId, epoch, expectedSeq: this.#state.lastSeq, wakeAt: resumeAt };
    const outcome = await this.#retryWhileUnavailable(() => eventStore.release(release));
    if (outcome === "behind") await this.#catchUp();
    return outcome !== "behind";
  }

  /** Sleeps until there is an input or a command, or until the machine must be advanced. */
  async #sleep(): Promise<void> {
    if (this.#inputs.length > 0 || this.#isBehind || this.#over.signal.aborted) return;
    const { now } = this.#dependencies;
    const machineAt = this.#isDraining ? undefined : wakeAt(this.#state, this.#subject.config, now());
    const moments = [machineAt, this.#effects.nextRetryAt].filter((moment) => moment !== undefined);
    await this.#sleeper.sleep(moments.length === 0 ? undefined : Math.min(...moments) - now());
  }

  #retryWhileUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
    const { onError } = this.#dependencies;
    const { id } = this.#subject.execution;
    return retryWhileUnavailable(work, { signal: this.#over.signal, onRefusal: (error) => onError(error, id) });
  }
}

/** Maximum delay of a Node timer, in ms. A later time is reached in several steps. */
const MAX_TIMER_MS = 2_147_000_000;

class Sleeper {
  #wake: () => void = () => {};

  /** Ends the current sleep, if any. */
  wake(): void {
    this.#wake();
  }

  /** Resolves on `wake`, or after `delayMs` if it is defined. A very long delay may end early. */
  async sleep(delayMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (delayMs !== undefined) timer = setTimeout(resolve, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    });
    clearTimeout(timer);
    this.#wake = () => {};
  }
}
