import { advance, record, type Step } from "@yagate/execution-machine/advance";
import { suspendUntil, wakeAt } from "@yagate/execution-machine/effects";
import { fold } from "@yagate/execution-machine/fold";
import type { MachineInput } from "@yagate/execution-machine/inputs";
import { type ExecutionState, initialState } from "@yagate/execution-machine/state";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { defined } from "@yagate/lib/objects/defined";
import type { AssistantPart } from "@yagate/models/port";
import type { ExecutionEvent } from "@yagate/protocol";
import { appendTo } from "@yagate/store/events/event-store";
import type { Append, AttemptExchange, EventEntry, NewApproval } from "@yagate/store/port";
import { projectResult } from "../../projection/project-result.ts";
import type { ScheduledRun } from "../../scheduler/port.ts";
import type { NewApprovalRequest } from "../approvals/approval-request.ts";
import { newInputRequests } from "../input-requests/new-input-request.ts";
import { type RetryOptions, retryWhileUnavailable } from "../service/retry-while-unavailable.ts";
import { toSummary } from "../service/views.ts";
import { parseAssistantMessage } from "./conversation.ts";
import { type EffectReport, EffectRunner } from "./effect-runner.ts";
import { type LateInput, LateResponses } from "./late-responses.ts";
import type { RunDependencies, RunSubject } from "./run-dependencies.ts";
import { RunStop } from "./run-dependencies.ts";

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
   * Requested when the run is over, because the execution has ended, was suspended or has another owner, or because the
   * run was aborted.
   */
  readonly #over = new RunStop();
  readonly #sleeper = new Sleeper();
  readonly #retries: RetryOptions;

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
      onProgress: (input) => {
        this.#inputs.push(input);
        this.#sleeper.wake();
      },
      onEnd: () => this.#sleeper.wake(),
      onLost: () => this.abort(),
      assertOwned: () => dependencies.lease.assertHeld(this.#ownedInTerm),
      regain: () => this.#regain(),
    });
    const { eventStore, now, onError } = dependencies;
    const { id: executionId } = subject.execution;
    const onRefusal = (error: unknown) => onError(error, executionId);
    this.#late = new LateResponses({ executionId, eventStore, now, onError: onRefusal });
    this.#retries = { signal: () => this.#over.signal, onRefusal };
    this.done = this.#run();
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
    this.#over.request();
    this.#sleeper.wake();
  }

  async #run(): Promise<void> {
    const { eventStore } = this.#dependencies;
    const unsubscribe = eventStore.subscribe(this.#subject.execution.id, (entries) => this.#onAppended(entries));
    try {
      await this.#advanceUntilOver();
    } finally {
      this.#over.request();
      unsubscribe();
      this.#effects.abortAll();
      this.#late.keepUnrecorded(this.#state);
    }
  }

  async #advanceUntilOver(): Promise<void> {
    if (this.#subject.execution.lastSeq > 0) await this.#catchUp();
    while (!this.#over.isRequested) {
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
    const { eventStore, lease } = this.#dependencies;
    let batches = [this.#inputs];
    const exchanges = this.#exchanges;
    this.#inputs = [];
    this.#exchanges = [];
    for (;;) {
      let step = this.#decide({ events: [], state: this.#state }, batches);
      while (this.#startEarly(step.state)) {
        // An outcome that arrives immediately is recorded in the same commit.
        await yieldToEventLoop();
        if (this.#inputs.length === 0) break;
        const inputs = this.#inputs.splice(0);
        batches.push(inputs);
        step = this.#decide(step, [inputs]);
      }
      if (step.events.length === 0) return true;
      const append = this.#toAppend(step, exchanges);
      const { term } = lease;
      const outcome = await retryWhileUnavailable(() => appendTo(eventStore, append), this.#retries);
      if (outcome === "taken_over") return false;
      if (outcome === "appended") {
        this.#ownedInTerm = term;
        for (const { id } of append.approvals ?? []) this.#approvalRequests.delete(id);
        this.#earlyTurn = undefined;
        this.#setState(step.state);
        return true;
      }
      batches = this.#withoutEarlyTurn(batches);
      await this.#catchUp();
    }
  }

  /** Adds the events that follow from the inputs, batch by batch. */
  #decide(start: Step, batches: readonly MachineInput[][]): Step {
    const [only, ...others] = batches;
    if (start.events.length === 0 && only !== undefined && others.length === 0) return this.#advance(start.state, only);
    return batches.reduce((before, inputs) => {
      const { events, state } = this.#advance(before.state, inputs);
      return { events: [...before.events, ...events], state };
    }, start);
  }

  /** If only a model turn follows, starts it immediately. Returns whether it did. */
  #startEarly(state: ExecutionState): boolean {
    const turn = this.#effects.startModelTurnEarly(state);
    if (turn !== undefined) this.#earlyTurn = turn;
    return turn !== undefined;
  }

  #advance(state: ExecutionState, inputs: readonly MachineInput[]): Step {
    const { now, random } = this.#dependencies;
    const { modelCallsOf } = this.#effects;
    const newAttemptId = () => this.#subject.newCallId("attempt");
    const { decideRoute } = this.#subject;
    const environment = {
      ...{ now: now(), random, modelCallsOf, newAttemptId, project: projectResult },
      ...defined({ decideRoute }),
    };
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

  #toAppend({ events, state }: Step, exchanges: readonly AttemptExchange[]): Append {
    const { id, epoch, mode } = this.#subject.execution;
    const approvals = events.flatMap((event) => this.#toApprovals(event));
    const inputRequests = newInputRequests(events, state, this.#subject);
    return {
      executionId: id,
      expectedSeq: this.#state.lastSeq,
      epoch,
      entries: events.map((event) => this.#toEntry(event)),
      summary: toSummary(state),
      ...defined({ mode }),
      ...(exchanges.length === 0 ? {} : { exchanges }),
      ...(approvals.length === 0 ? {} : { approvals }),
      ...(inputRequests.length === 0 ? {} : { inputRequests }),
    };
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
    const entries = await retryWhileUnavailable(() => eventStore.entries(id, this.#state.lastSeq), this.#retries);
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
    if (this.#over.isRequested) return this.#late.keep(late);
    this.#late.take(late);
    this.#inputs.push(late);
    this.#sleeper.wake();
  }

  #regain(): Promise<boolean> {
    const { lease, eventStore } = this.#dependencies;
    const { id, workspaceId, epoch } = this.#subject.execution;
    const regain = async () => {
      await lease.held();
      const { term } = lease;
      const row = await eventStore.find(id, workspaceId);
      if (row?.epoch !== epoch) return false;
      this.#ownedInTerm = term;
      return true;
    };
    return retryWhileUnavailable(regain, this.#retries);
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
    return this.#isDraining ? undefined : suspendUntil(this.#state, config, now(), this.#effects.nextPollAt);
  }

  /** Suspends the execution until `resumeAt`, in ms since the epoch. Returns false if a command was appended first. */
  async #suspend(resumeAt: number): Promise<boolean> {
    const { eventStore } = this.#dependencies;
    const { id: executionId, epoch } = this.#subject.execution;
    const release = { executionId, epoch, expectedSeq: this.#state.lastSeq, wakeAt: resumeAt };
    const outcome = await retryWhileUnavailable(() => eventStore.release(release), this.#retries);
    if (outcome === "behind") await this.#catchUp();
    return outcome !== "behind";
  }

  /**
   * Sleeps until there is an input or a command, or until the machine must be advanced. Returns undefined if that is
   * now.
   */
  #sleep(): Promise<void> | undefined {
    if (this.#inputs.length > 0 || this.#isBehind || this.#over.isRequested) return undefined;
    const now = this.#dependencies.now();
    const machineAt = this.#isDraining ? undefined : wakeAt(this.#state, this.#subject.config, now);
    const pollAt = this.#isDraining ? undefined : this.#effects.nextPollAt;
    const moments = [machineAt, pollAt, this.#effects.nextRetryAt].filter((moment) => moment !== undefined);
    return this.#sleeper.sleep(moments.length === 0 ? undefined : Math.min(...moments) - now);
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
  sleep(delayMs: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => this.#wake();
      const timer = delayMs === undefined ? undefined : setTimeout(wake, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
    });
  }
}
