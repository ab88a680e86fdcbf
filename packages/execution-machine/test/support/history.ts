import { isDeepStrictEqual } from "node:util";
import type { ExecutionEvent } from "@yagate/protocol";
import { advance, command, record } from "../../src/advance.ts";
import { type Effect, outstanding, wakeAt } from "../../src/effects.ts";
import type { ExecutionConfig } from "../../src/execution-config.ts";
import { fold } from "../../src/fold.ts";
import type { Command, MachineInput } from "../../src/inputs.ts";
import { type ExecutionState, initialState, remainingWallMs, spentMs } from "../../src/state.ts";
import { approvalBreach, endingBreach, reportBreach, waitingBreach } from "./breaches.ts";
import { frozen } from "./frozen.ts";
import { inputOutcome, isDeferred, keyOf, toInput } from "./inputs.ts";
import { ADMITTED, NETWORK_DOWN, planWith } from "./machine-world.ts";
import { momentsOf } from "./moments.ts";
import {
  type Answer,
  type AskedCall,
  type CallbackMove,
  GONE,
  GUARDED,
  type InputMove,
  type Move,
  type Scene,
  TOOLS,
  type ToolName,
} from "./moves.ts";

const START = Date.parse("2026-11-21T06:00:00.000Z");

/** Something that a process has under way, as long as it lives. */
interface UnderWay {
  readonly effect: Effect;
  readonly process: number;
}

/** One start of an effect, with the log as it was then. */
export interface Start {
  readonly key: string;
  readonly type: Effect["type"];
  readonly process: number;
  readonly lastSeq: number;
}

/** An answer that reached the machine while the log still awaited it. */
interface Delivery {
  readonly toolCallId: string;
  readonly result: string | undefined;
  readonly costUsd: number;
}

/**
 * An execution and the processes that advance it, one after another: each starts what the log asks for once, reports
 * come in, get lost, come twice or too late, commands come in between, and a process may die at any moment, also right
 * before a step is durable.
 */
export class MachineHistory {
  readonly config: ExecutionConfig;
  readonly log: ExecutionEvent[] = [];
  /** Lengths of the log at which a process may have died: an append is durable as a whole or not at all. */
  readonly commits: number[] = [0];
  readonly starts: Start[] = [];
  readonly deliveries: Delivery[] = [];
  /** Breaches that only this history can see. */
  readonly breaches: string[] = [];
  state: ExecutionState;
  now = START;
  /** Time that passed while a process was there and the execution was running. */
  runningMs = 0;
  readonly #random: number;
  readonly #tools: readonly ToolName[];
  readonly #refused = new Set<string>();
  #underWay: UnderWay[] = [];
  #reports: MachineInput[] = [];
  #process = 1;
  #ids = 0;

  constructor({ limits, fallbackWaitMs, random, tools }: Scene, log: readonly ExecutionEvent[] = []) {
    const toolSearch = { shown: ["read"], deferred: 9, deferredTokens: 900 };
    this.config = planWith(TOOLS, { limits, fallbackWaitMs, toolSearch });
    this.#random = random;
    this.#tools = tools;
    this.log.push(...log);
    this.state = frozen(log.reduce(fold, initialState(this.config.executionId)));
    this.now = Math.max(START, this.state.lastEventAt ?? START);
    this.#ids = log.length * 100;
    this.#feed([{ type: log.length === 0 ? "tick" : "recovered" }]);
  }

  play(moves: readonly Move[]): this {
    for (const move of moves) this.#make(move);
    return this;
  }

  /** Lets everything that is under way come to its end; false when that takes for ever. */
  drain(): boolean {
    for (let round = 0; round < 1_000; round += 1) {
      if (this.state.finishedAt !== null) return true;
      const [first] = this.#underWay;
      if (first === undefined) this.#wake();
      else if (first.effect.type === "model") this.#answerModel([], "stop");
      else this.#report(first, { how: "result", size: 1 }, 0);
    }
    return false;
  }

  #make(move: Move): void {
    switch (move.type) {
      case "model":
        return this.#answerModel(move.calls, move.finishReason);
      case "model_fails":
        for (let time = 0; time < move.times; time += 1) {
          if (time > 0) this.#wake(false);
          this.#failModel(move);
        }
        return;
      case "answer": {
        const target = pick(this.#calls(), move.place);
        return target === undefined ? undefined : this.#report(target, move.answer, move.costUsd);
      }
      case "stale": {
        const report = pick(this.#reports, move.place);
        return report === undefined ? undefined : this.#feed([report]);
      }
      case "late":
        return this.#answerLate(move.place);
      case "resumable":
        return this.#noteResumable(move);
      case "wake":
        return this.#wake(move.isPatient);
      case "pass":
        this.#pass(move.ms);
        return move.isNoticed ? this.#feed([{ type: "tick" }]) : undefined;
      case "crash":
        for (let time = 0; time < move.times; time += 1) this.#crash(move);
        return;
      case "suspend":
        return this.#suspend(move.downMs);
      case "cancel":
        this.#order({ type: "cancel" });
        return move.isNoticed ? this.#feed([{ type: "tick" }]) : undefined;
      case "fallback":
        return this.#answerFallback(move);
      case "approval":
        return this.#answerApproval(move);
      case "input":
        return this.#answerQuestions(move);
      case "callback":
        return this.#receiveCallback(move);
    }
  }

  #calls(): readonly UnderWay[] {
    return this.#underWay.filter(({ effect }) => effect.type !== "model");
  }

  #answerModel(calls: readonly AskedCall[], finishReason: Extract<Move, { type: "model" }>["finishReason"]): void {
    const asked = this.#underWay.find(({ effect }) => effect.type === "model")?.effect;
    if (asked?.type !== "model") return;
    this.#deliver({
      type: "model_responded",
      turn: asked.turn,
      attempt: asked.attempt,
      text: calls.length === 0 ? "the answer" : "",
      finishReason,
      calls: calls.map(({ tool, refusal }) => {
        const name = pick(this.#tools, tool) ?? GONE;
        const toolCallId = this.#newId("tc");
        if (refusal !== undefined) this.#refused.add(toolCallId);
        const approval = { approvalId: this.#newId("apr"), requestHash: `sha256:${toolCallId}` };
        const isAsked = GUARDED.has(name) && refusal === undefined;
        const admission = { ...admissionOf(name, refusal), ...(isAsked ? { approval } : {}) };
        return { toolCallId, name, parameters: {}, admission };
      }),
      usage: { inputTokens: 3, outputTokens: 2 },
      cost: { usd: 0.01, credits: 0 },
    });
  }

  #failModel({ isRetryable, retryAfterMs }: Extract<Move, { type: "model_fails" }>): void {
    const asked = this.#underWay.find(({ effect }) => effect.type === "model")?.effect;
    if (asked?.type !== "model") return;
    const { turn, attempt } = asked;
    const delay = retryAfterMs === undefined ? {} : { retryAfterMs };
    this.#deliver({ type: "model_failed", turn, attempt, code: "MODEL_ERROR", message: "no", isRetryable, ...delay });
  }

  #report({ effect }: UnderWay, answer: Answer, costUsd: number): void {
    if (effect.type === "model") return;
    const { id } = effect.call;
    const hasReceivedResult =
      this.state.turns.at(-1)?.calls.some((call) => call.id === id && call.callback !== null) === true;
    const isDone = !isDeferred(effect, answer) && inputOutcome(effect, answer) === undefined;
    const isResult = "size" in answer && isDone && !hasReceivedResult;
    const result = isResult ? "r".repeat(answer.size) : undefined;
    if (this.state.finishedAt === null) this.deliveries.push({ toolCallId: effect.call.id, result, costUsd });
    this.#deliver(toInput(effect, answer, { usd: costUsd, credits: 0 }), effect.key);
  }

  #deliver(report: MachineInput, key = keyOf(report)): void {
    this.#reports.push(report);
    this.#underWay = this.#underWay.filter(({ effect }) => key !== effect.key);
    this.#feed([report]);
  }

  #answerLate(place: number): void {
    const calls = this.state.turns.flatMap((turn) => turn.calls);
    const attempt = pick(
      calls.flatMap((call) => call.attempts.map((one) => ({ toolCallId: call.id, attemptId: one.id }))),
      place,
    );
    if (attempt === undefined) return;
    this.#feed([{ type: "attempt_late", ...attempt, httpStatus: 200, elapsedMs: 12_000, responseBytes: 10 }]);
  }

  #noteResumable({ place, eventId }: Extract<Move, { type: "resumable" }>): void {
    const target = pick(this.#calls(), place)?.effect;
    if (target?.type !== "attempt") return;
    const resumption = { sessionId: "session", protocolVersion: "2025-11-25", eventId };
    this.#feed([{ type: "attempt_resumable", toolCallId: target.call.id, attemptId: target.key, resumption }]);
  }

  #answerFallback({ place, isDeclined, isTooLate, next }: Extract<Move, { type: "fallback" }>): void {
    const calls = this.state.turns.flatMap((turn) => turn.calls);
    const held = calls.filter((call) => call.status === "waiting_fallback");
    const call = pick(held.length === 0 ? calls : held, place);
    if (call === undefined) return;
    if (isTooLate && call.fallbackUntil !== null) this.#pass(Math.max(0, call.fallbackUntil - this.now));
    const fallback = isDeclined ? ("decline" as const) : { result: `instead of ${call.id}` };
    this.#order({ type: "fallback", toolCallId: call.id, fallback });
    if (next === "cancelled") this.#order({ type: "cancel" });
    if (next !== "unnoticed") this.#feed([{ type: "tick" }]);
  }

  #answerApproval({ place, answer, isTooLate, next }: Extract<Move, { type: "approval" }>): void {
    const asked = this.state.turns.flatMap((turn) => turn.calls).flatMap(({ approval }) => approval ?? []);
    const open = asked.filter(({ status }) => status === "pending");
    const approval = pick(open.length === 0 ? asked : open, place);
    if (approval === undefined) return;
    if (isTooLate) this.#pass(Math.max(0, approval.expiresAt - this.now));
    const to = { approvalId: approval.id, by: { keyId: "key_1", isSelfApproval: false } };
    const edit = { parameters: { edited: this.log.length }, requestHash: `sha256:edited ${approval.id}` };
    if (answer === "deny") this.#order({ type: "deny", ...to, reason: "no" });
    else this.#order({ type: "approve", ...to, ...(answer === "edit" ? { edit } : {}) });
    if (next === "cancelled") this.#order({ type: "cancel" });
    if (next !== "unnoticed") this.#feed([{ type: "tick" }]);
  }

  #answerQuestions({ place, isTooLate, isStale, next }: InputMove): void {
    const calls = this.state.turns.flatMap((turn) => turn.calls).filter(({ input }) => input !== null);
    const open = calls.filter(({ status }) => status === "waiting_input");
    const call = pick(open.length === 0 ? calls : open, place);
    if (call === undefined || call.input === null) return;
    if (isTooLate) this.#pass(Math.max(0, call.input.expiresAt - this.now));
    const answers = Object.fromEntries(call.input.questions.map(({ key }) => [key, { action: "decline" as const }]));
    const round = call.input.round - (isStale ? 1 : 0);
    this.#order({ type: "input", toolCallId: call.id, round, answers, keyId: "key_1" });
    if (next === "cancelled") this.#order({ type: "cancel" });
    if (next !== "unnoticed") this.#feed([{ type: "tick" }]);
  }

  #receiveCallback({ place, isError, isTooLate, again, next }: CallbackMove): void {
    const calls = this.state.turns.flatMap((turn) => turn.calls);
    const begun = calls.filter(({ callbackUntil }) => callbackUntil !== null);
    const open = begun.filter((call) => call.callback === null && call.finishedAt === null);
    const call = pick(open.length > 0 ? open : begun.length > 0 ? begun : calls, place);
    if (call === undefined) return;
    if (isTooLate && call.callbackUntil !== null) this.#pass(Math.max(0, call.callbackUntil - this.now));
    const outcome = (bodyHash: string): Command => {
      const outcome = isError ? { error: { code: "GAVE_UP", message: bodyHash } } : { result: bodyHash };
      return { type: "callback", toolCallId: call.id, bodyHash, outcome };
    };
    this.#order(outcome("sha256:first"));
    if (again !== "no") this.#order(outcome(again === "same" ? "sha256:first" : "sha256:other"));
    if (next === "cancelled") this.#order({ type: "cancel" });
    if (next !== "unnoticed") this.#feed([{ type: "tick" }]);
  }

  #order(what: Command): void {
    const step = command(this.state, what, this.now);
    this.#append(step.events, step.state);
  }

  #wake(isPatient = true): void {
    const at = wakeAt(this.state, this.config, this.now);
    const isEnd = this.state.status === "running" && at === this.now + remainingWallMs(this.state, this.now);
    if (at !== undefined && at > this.now && (isPatient || !isEnd)) this.#pass(at - this.now);
    this.#feed([{ type: "tick" }]);
  }

  #pass(ms: number): void {
    if (this.state.status === "running") this.runningMs += ms;
    this.now += ms;
  }

  #crash({ isBeforeCommit, downMs }: Extract<Move, { type: "crash" }>): void {
    if (isBeforeCommit) {
      // The step is computed, and then the process is gone: the step is lost.
      advance(this.state, this.#lastWords(), this.config, this.#environment());
    }
    this.#goDown(downMs);
  }

  #suspend(downMs: number): void {
    const step = record(this.state, this.#lastWords(), this.config, this.#environment());
    this.#append(step.events, step.state);
    this.#goDown(downMs);
  }

  /** What a process hears at its very end. */
  #lastWords(): readonly MachineInput[] {
    const [first] = this.#calls();
    if (first === undefined || first.effect.type === "model") return [{ type: "tick" }];
    return [toInput(first.effect, { how: "result", size: 1 }, { usd: 0, credits: 0 })];
  }

  #goDown(downMs: number): void {
    for (const { effect } of this.#underWay) {
      if (effect.type !== "model") {
        this.#reports.push(toInput(effect, { how: "result", size: 7 }, { usd: 0, credits: 0 }));
      }
    }
    this.#underWay = [];
    this.#process += 1;
    this.now += downMs;
    this.state = frozen(this.log.reduce(fold, initialState(this.config.executionId)));
    this.#feed([{ type: "recovered" }]);
  }

  #feed(inputs: readonly MachineInput[]): void {
    const { state, now } = this;
    const step = advance(state, inputs, this.config, this.#environment());
    const spentBefore = spentMs(state, now);
    this.#append(step.events, step.state);
    this.breaches.push(...step.events.flatMap((event) => reportBreach(event, inputs)), ...waitingBreach(step.events));
    const isRecovery = inputs.some(({ type }) => type === "recovered");
    if (!isRecovery && spentMs(this.state, now) < spentBefore) this.breaches.push("time that was spent came back");
    this.#startEffects();
    if (this.state.finishedAt === null) this.#expectToGoOn();
  }

  #append(events: readonly ExecutionEvent[], state: ExecutionState): void {
    const folded = events.reduce((before, event) => frozen(fold(before, event)), this.state);
    if (!isDeepStrictEqual(folded, state)) this.breaches.push("the state of a step is not the fold of its events");
    this.log.push(...events);
    this.commits.push(this.log.length);
    this.state = frozen(state);
  }

  /** A process starts what the log asks for and it has not started yet; what is not asked for any more, it drops. */
  #startEffects(): void {
    const wanted = outstanding(this.state, this.config);
    const keys = new Set(wanted.map(({ key }) => key));
    this.breaches.push(...wanted.flatMap((effect) => endingBreach(effect, this.state)));
    this.#underWay = this.#underWay.filter(({ effect }) => keys.has(effect.key));
    for (const effect of wanted) {
      if (this.#underWay.some((known) => known.effect.key === effect.key)) continue;
      const { key, type } = effect;
      if (effect.type !== "model" && this.#refused.has(effect.call.id)) this.breaches.push("a refused call is run");
      if (effect.type !== "model") this.breaches.push(...approvalBreach(effect.call));
      this.#underWay.push({ effect, process: this.#process });
      this.starts.push({ key, type, process: this.#process, lastSeq: this.state.lastSeq });
    }
  }

  /** Neither waiting for nothing nor waking up again and again for nothing. */
  #expectToGoOn(): void {
    const at = wakeAt(this.state, this.config, this.now);
    if (at === undefined && this.#underWay.length === 0) this.breaches.push("waits for nothing");
    if (at !== undefined && at <= this.now) this.breaches.push("asks to be woken now, having just been");
    for (const moment of momentsOf(this.state, this.config, this.now)) {
      if (at === undefined || at > moment) this.breaches.push(`sleeps past ${new Date(moment).toISOString()}`);
    }
  }

  #environment() {
    return { now: this.now, random: () => this.#random, newAttemptId: () => this.#newId("att") };
  }

  #newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids}`;
  }
}

function pick<Item>(items: readonly Item[], place: number): Item | undefined {
  return items[place % Math.max(1, items.length)];
}

function admissionOf(name: ToolName, refusal: AskedCall["refusal"]) {
  const sideEffect = (name === GONE ? undefined : TOOLS[name].sideEffect) ?? null;
  const isDenied = refusal === "POLICY_DENIED";
  return {
    ...ADMITTED,
    sideEffect,
    ...(refusal === undefined
      ? {}
      : {
          refusal: { ...NETWORK_DOWN, code: refusal, message: "no", isDenied, ...(isDenied ? {} : { loads: [name] }) },
        }),
  };
}
