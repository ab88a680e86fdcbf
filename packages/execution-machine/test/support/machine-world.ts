import type { CapabilityVersion, ExecutionEvent, JsonValue, Limits } from "@yagate/protocol";
import { DEFAULT_LIMITS } from "@yagate/protocol";
import { advance, command } from "../../src/advance.ts";
import type { CallAnswer, Failure } from "../../src/call-outcome.ts";
import { type Effect, outstanding, wakeAt } from "../../src/effects.ts";
import type { ExecutionConfig, ToolTraits } from "../../src/execution-config.ts";
import { fold } from "../../src/fold.ts";
import type { Admission, Command, MachineInput } from "../../src/inputs.ts";
import { type ExecutionState, initialState } from "../../src/state.ts";

const EXECUTION_ID = "exec_1";

export const ADMITTED: Admission = { kind: "handler", sideEffect: null, risk: null, policyDecision: null };

export const NETWORK_DOWN: Failure = {
  code: "NETWORK_ERROR",
  message: "could not be reached",
  source: "gateway",
  isRetryable: true,
  outcome: "none",
};

export const TIMED_OUT: Failure = { ...NETWORK_DOWN, code: "TIMEOUT", message: "took too long", outcome: "unknown" };

/** A plan with tools that differ only in the named traits. */
export function planWith(
  tools: Record<string, Partial<ToolTraits>>,
  change: Partial<ExecutionConfig> = {},
): ExecutionConfig {
  const traits: ToolTraits = {
    executor: "attempts",
    targetOf: () => ({ method: "POST", url: "https://tools.test/" }),
    timeoutMs: 10_000,
    retries: 0,
    sideEffect: null,
    isAsync: false,
    maxCallsPerTurn: null,
    parallelGroup: null,
    resourceKeyOf: null,
    dependsOn: [],
  };
  return {
    executionId: EXECUTION_ID,
    agentId: "agt_1",
    agentVersion: 1,
    model: "scripted/turns",
    input: "a question",
    limits: DEFAULT_LIMITS,
    fallbackWaitMs: null,
    approvalExpiryMs: 604_800_000,
    callbackExpiryMs: 86_400_000,
    tools: new Map(Object.entries(tools).map(([name, given]) => [name, { ...traits, ...given }])),
    ...change,
  };
}

export function limitsWith(change: Partial<Limits>): Limits {
  return { ...DEFAULT_LIMITS, ...change };
}

/** Drives the machine by hand: a clock, a log, and reports in the test's words. */
export class MachineWorld {
  readonly events: ExecutionEvent[] = [];
  readonly config: ExecutionConfig;
  state: ExecutionState = initialState(EXECUTION_ID);
  now = Date.parse("2026-11-21T06:00:00.000Z");
  random = 0.5;
  #ids = 0;

  constructor(config: ExecutionConfig) {
    this.config = config;
  }

  feed(...inputs: MachineInput[]): readonly ExecutionEvent[] {
    const environment = { now: this.now, random: () => this.random, newAttemptId: () => this.#newId("att") };
    const step = advance(this.state, inputs, this.config, environment);
    return this.#take(step.events, step.state);
  }

  start(): this {
    this.feed({ type: "tick" });
    return this;
  }

  order(what: Command): readonly ExecutionEvent[] {
    const step = command(this.state, what, this.now);
    return this.#take(step.events, step.state);
  }

  /** The model replies to the running model turn. */
  model(
    text: string,
    calls: readonly {
      name: string;
      parameters?: JsonValue;
      admission?: Admission;
      capability?: CapabilityVersion;
    }[] = [],
    finishReason: Extract<MachineInput, { type: "model_responded" }>["finishReason"] = "stop",
    costUsd = 0,
  ) {
    const turn = this.state.turns.at(-1);
    return this.feed({
      type: "model_responded",
      turn: turn?.number ?? 0,
      attempt: turn?.attempt ?? 0,
      text,
      finishReason,
      calls: calls.map(({ name, parameters = {}, admission, capability }) => ({
        toolCallId: this.#newId("tc"),
        name,
        parameters,
        admission: admission ?? ADMITTED,
        ...(capability === undefined ? {} : { capability }),
      })),
      usage: { inputTokens: 10, outputTokens: 5 },
      cost: { usd: costUsd, credits: 0 },
    });
  }

  modelFails(change: Partial<Extract<MachineInput, { type: "model_failed" }>> = {}) {
    const turn = this.state.turns.at(-1);
    return this.feed({
      type: "model_failed",
      turn: turn?.number ?? 0,
      attempt: turn?.attempt ?? 0,
      code: "MODEL_ERROR",
      message: "overloaded",
      isRetryable: true,
      ...change,
    });
  }

  finish(effect: Effect, outcome: CallAnswer, costUsd = 0, httpStatus?: number) {
    if (effect.type === "model") throw new Error("expected a call");
    if (effect.type === "inline") {
      if (!("result" in outcome || "failure" in outcome)) throw new Error("expected a tool outside of the gateway");
      const cost = { usd: costUsd, credits: 0 };
      return this.feed({ type: "inline_finished", toolCallId: effect.call.id, outcome, cost });
    }
    return this.feed({
      type: "attempt_finished",
      toolCallId: effect.call.id,
      attemptId: effect.key,
      outcome,
      durationMs: 5,
      timings: { dns: 1, connect: 1, tls: null, firstByte: 2 },
      requestBytes: 10,
      responseBytes: 10,
      ...(httpStatus === undefined ? {} : { httpStatus }),
      cost: { usd: costUsd, credits: 0 },
    });
  }

  /** Moves the clock to the time that the machine asked for, and sends a tick. */
  wake(): readonly ExecutionEvent[] {
    this.now = Math.max(this.now, wakeAt(this.state, this.config, this.now) ?? this.now);
    return this.feed({ type: "tick" });
  }

  get effects(): readonly Effect[] {
    return outstanding(this.state, this.config);
  }

  get types(): readonly string[] {
    return this.events.map((event) => event.type);
  }

  /** Forgets everything but the log, as after a crash. */
  restart(): readonly ExecutionEvent[] {
    this.state = this.events.reduce(fold, initialState(EXECUTION_ID));
    return this.feed({ type: "recovered" });
  }

  #take(events: readonly ExecutionEvent[], state: ExecutionState): readonly ExecutionEvent[] {
    this.events.push(...events);
    this.state = state;
    return events;
  }

  #newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids}`;
  }
}
