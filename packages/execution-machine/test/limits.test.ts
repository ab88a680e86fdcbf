import type { Limits } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { Failure } from "../src/call-outcome.ts";
import { type Effect, isLongWait } from "../src/effects.ts";
import type { ToolTraits } from "../src/execution-config.ts";
import { fold } from "../src/fold.ts";
import { initialState } from "../src/state.ts";
import { ADMITTED, limitsWith, MachineWorld, NETWORK_DOWN, planWith, TIMED_OUT } from "./support/machine-world.ts";

it("a wait of five seconds or more suspends the execution", () => {
  expect([4_999, 5_000].map((waitMs) => isLongWait(1_000 + waitMs, 1_000))).toEqual([false, true]);
});

const TOOLS: Record<string, Partial<ToolTraits>> = {
  a: {},
  b: {},
  read: { sideEffect: "read_only" },
  idempotent: { sideEffect: "idempotent_write", resourceKeyOf: () => "another one" },
  write: { sideEffect: "non_idempotent_write", resourceKeyOf: () => "one" },
  patient: { retries: 5 },
  sum: { executor: "inline" },
  once: { maxCallsPerTurn: 1 },
};

function worldWith(limits: Partial<Limits>, fallbackWaitMs: number | null = null): MachineWorld {
  return new MachineWorld(planWith(TOOLS, { limits: limitsWith(limits), fallbackWaitMs })).start();
}

function ask(world: MachineWorld, ...names: readonly string[]): void {
  const admit = (name: string) => ({ ...ADMITTED, sideEffect: TOOLS[name]?.sideEffect ?? null });
  world.model(
    "I will look",
    names.map((name) => ({ name, admission: admit(name) })),
  );
}

function effectOf(world: MachineWorld, name: string): Exclude<Effect, { type: "model" }> {
  const effect = world.effects.find((candidate) => candidate.type !== "model" && candidate.call.name === name);
  if (effect === undefined || effect.type === "model") throw new Error(`expected a call of ${name} under way`);
  return effect;
}

function round(world: MachineWorld, name: string, outcome: { result: string } | { failure: Failure }): void {
  ask(world, name);
  world.finish(effectOf(world, name), outcome);
}

const calls = (world: MachineWorld) => world.state.turns.flatMap((turn) => turn.calls);
const OK = { result: "fine" };
const DOWN = { failure: NETWORK_DOWN };
const ABORTED: Failure = { ...TIMED_OUT, code: "CANCELLED", message: "cancelled" };

describe("maxToolIterations", () => {
  it.each([0, 1, 2, 8])("%i allows that many rounds of calls and no more", (maxToolIterations) => {
    const world = worldWith({ maxToolIterations });
    for (let turn = 0; turn < maxToolIterations; turn += 1) round(world, "a", OK);
    expect(world.state.status).toBe("running");
    ask(world, "a");
    expect(world.state).toMatchObject({ status: "completed", stopReason: "maxToolIterations" });
    expect(world.state.output?.text).toContain("I will look");
    expect(calls(world).at(-1)).toMatchObject({ attempts: [], error: { code: "BUDGET_EXCEEDED", outcome: "none" } });
  });

  it("does not prevent a final reply after the last round", () => {
    const world = worldWith({ maxToolIterations: 1 });
    round(world, "a", OK);
    world.model("the answer");
    expect(world.state).toMatchObject({ stopReason: "final", output: { text: "the answer" } });
  });
});

describe("the calls of one model turn", () => {
  it("run up to maxToolCallsPerTurn; the others fail, and the execution continues", () => {
    const world = worldWith({ maxToolCallsPerTurn: 2 });
    ask(world, "a", "b", "read");
    expect(world.effects).toHaveLength(2);
    expect(calls(world)[2]?.error).toMatchObject({ code: "BUDGET_EXCEEDED", hint: expect.stringContaining("later") });
    world.finish(effectOf(world, "a"), OK);
    world.finish(effectOf(world, "b"), OK);
    ask(world, "a", "b");
    expect(world.effects).toHaveLength(2);
    expect(world.types).not.toContain("limit.reached");
  });

  it("run up to their tool's own maxCallsPerTurn", () => {
    const world = worldWith({});
    ask(world, "once", "a", "once", "a");
    expect(calls(world).map(({ error }) => error?.code)).toEqual([undefined, undefined, "BUDGET_EXCEEDED", undefined]);
    expect(calls(world)[2]?.error?.message).toContain("once");
  });

  it("don't count when they were refused for another reason", () => {
    const world = worldWith({});
    const refusal = { ...NETWORK_DOWN, code: "INVALID_ARGUMENTS", isDenied: false };
    world.model("", [{ name: "once", admission: { ...ADMITTED, refusal } }, { name: "once" }, { name: "once" }]);
    expect(calls(world).map(({ error }) => error?.code)).toEqual(["INVALID_ARGUMENTS", undefined, "BUDGET_EXCEEDED"]);
  });
});

describe("maxSameToolRetries", () => {
  it.each([0, 1, 2])("%i allows the first attempt and that many more", (maxSameToolRetries) => {
    const world = worldWith({ maxSameToolRetries, maxToolIterations: 100 });
    for (let turn = 0; turn <= maxSameToolRetries; turn += 1) round(world, "a", DOWN);
    expect(world.state.status).toBe("running");
    ask(world, "a");
    expect(world.state).toMatchObject({ status: "completed", stopReason: "maxSameToolRetries" });
    expect(world.state.output?.text).toMatch(/tool a failed/);
    const hint = "the limit maxSameToolRetries of this execution is reached; reply with what you know";
    expect(calls(world).at(-1)?.error).toMatchObject({ code: "BUDGET_EXCEEDED", hint });
  });

  it("starts again after a result, and counts each tool separately", () => {
    const world = worldWith({ maxSameToolRetries: 1, maxToolIterations: 100 });
    for (let turn = 0; turn < 5; turn += 1) {
      round(world, "a", DOWN);
      round(world, "b", DOWN);
      round(world, "a", OK);
      round(world, "b", OK);
    }
    expect(world.state.status).toBe("running");
  });

  it("counts rounds that used the tool, with others between them", () => {
    const world = worldWith({ maxSameToolRetries: 1, maxToolIterations: 100 });
    round(world, "a", DOWN);
    for (let turn = 0; turn < 3; turn += 1) round(world, "b", OK);
    round(world, "a", DOWN);
    round(world, "b", OK);
    ask(world, "a");
    expect(world.state.stopReason).toBe("maxSameToolRetries");
  });

  it("counts a round as successful if one of its calls completed", () => {
    const world = worldWith({ maxSameToolRetries: 0 });
    ask(world, "a", "a");
    const [first, second] = world.effects;
    if (first === undefined || second === undefined) throw new Error("expected two calls");
    world.finish(first, DOWN);
    world.finish(second, OK);
    round(world, "a", OK);
    expect(world.state.status).toBe("running");
  });

  it("counts denials and unknown names, but not calls beyond the limits per turn", () => {
    const refuse = (code: string, isDenied: boolean) => ({
      ...ADMITTED,
      refusal: { ...NETWORK_DOWN, code, isDenied },
    });
    for (const admission of [refuse("POLICY_DENIED", true), refuse("UNKNOWN_TOOL", false)]) {
      const world = worldWith({ maxSameToolRetries: 0 });
      world.model("", [{ name: "a", admission }]);
      world.model("", [{ name: "a", admission }]);
      expect(world.state.stopReason).toBe("maxSameToolRetries");
    }
    const world = worldWith({ maxSameToolRetries: 0, maxToolCallsPerTurn: 1 });
    ask(world, "a", "b");
    world.finish(effectOf(world, "a"), OK);
    round(world, "b", OK);
    expect(world.state.status).toBe("running");
  });
});

describe("maxToolResultTokens", () => {
  it.each([
    [10, true],
    [11, false],
  ])("of 11 tokens against a limit of %i", (maxToolResultTokens, isReached) => {
    const world = worldWith({ maxToolResultTokens });
    round(world, "a", { result: "x".repeat(42) });
    expect(world.state.toolResultTokens).toBe(11);
    expect(world.state.stopReason).toBe(isReached ? "maxToolResultTokens" : null);
  });

  it("adds up over model turns, and counts what the model reads of errors", () => {
    const world = worldWith({ maxToolResultTokens: 100 });
    round(world, "a", { failure: { ...NETWORK_DOWN, message: "x".repeat(200), developerMessage: "y".repeat(9_000) } });
    expect(world.state.status).toBe("running");
    round(world, "b", { result: "x".repeat(100) });
    expect(world.state.stopReason).toBe("maxToolResultTokens");
  });

  it("aborts running reads, awaits running writes and retries nothing", () => {
    const world = worldWith({ maxToolResultTokens: 10 });
    ask(world, "a", "read", "write", "patient");
    world.finish(effectOf(world, "patient"), DOWN);
    world.finish(effectOf(world, "a"), { result: "x".repeat(100) });
    expect(effectOf(world, "read")).toMatchObject({ isAborted: true, isTooLateToSend: true });
    expect(effectOf(world, "write")).toMatchObject({ isAborted: false, isTooLateToSend: true });
    world.finish(effectOf(world, "read"), { failure: ABORTED });
    expect(world.state.status).toBe("running");
    world.finish(effectOf(world, "write"), { result: "written" });
    expect(world.state.stopReason).toBe("maxToolResultTokens");
    expect(calls(world).map(({ status, error, result }) => result ?? [status, error?.code])).toEqual([
      "x".repeat(100),
      ["failed", "BUDGET_EXCEEDED"],
      "written",
      ["failed", "BUDGET_EXCEEDED"],
    ]);
  });
});

describe("maxToolCostUsd", () => {
  it.each([
    [0.3, false],
    [0.299_999_999, true],
    [0, true],
  ])("of three calls at 0.1 USD against a limit of %f", (maxToolCostUsd, isReached) => {
    const world = worldWith({ maxToolCostUsd, maxToolIterations: 100 });
    for (let turn = 0; turn < 3 && world.state.finishedAt === null; turn += 1) {
      ask(world, turn === 1 ? "sum" : "a");
      const [effect] = world.effects;
      if (effect !== undefined) world.finish(effect, OK, 0.1);
    }
    expect(world.state.stopReason).toBe(isReached ? "maxToolCostUsd" : null);
  });

  it("counts failed attempts, also those that will be retried", () => {
    const world = worldWith({ maxToolCostUsd: 0.25 });
    ask(world, "patient");
    world.finish(effectOf(world, "patient"), DOWN, 0.2);
    world.wake();
    world.finish(effectOf(world, "patient"), DOWN, 0.1);
    expect(world.state).toMatchObject({ stopReason: "maxToolCostUsd" });
    expect(world.state.cost.usd).toBeCloseTo(0.3, 9);
    expect(calls(world)[0]).toMatchObject({ status: "failed", cost: { usd: expect.closeTo(0.3, 9) } });
  });

  it("is not reached by a cost of zero", () => {
    const world = worldWith({ maxToolCostUsd: 0 });
    round(world, "a", OK);
    expect(world.state.status).toBe("running");
  });

  it("keeps the cost of failed attempts in the record of a call with a fallback", () => {
    const world = worldWith({}, 30_000);
    ask(world, "a");
    world.finish(effectOf(world, "a"), DOWN, 0.2);
    expect(world.state).toMatchObject({ status: "waiting", cost: { usd: 0 } });
    world.order({ type: "fallback", toolCallId: calls(world)[0]?.id ?? "", fallback: { result: "mine" } });
    world.feed({ type: "tick" });
    expect(calls(world)[0]).toMatchObject({ via: "fallback", cost: { usd: 0.2 } });
    expect(world.state.cost.usd).toBe(0.2);
  });
});

/** A round in which the model costs 0.1 USD and uses 15 tokens, and its tool costs nothing. */
function paidRound(world: MachineWorld): void {
  world.model("I will look", [{ name: "a" }], "stop", 0.1);
  world.finish(effectOf(world, "a"), OK);
}

describe.each<[keyof Limits, number]>([
  ["maxCostUsd", 0.1],
  ["maxTotalTokens", 15],
])("%s", (limit, ofOneRound) => {
  const types = (world: MachineWorld) => world.events.map(({ type }) => type);

  it("lets the calls of the turn that exceeds it run, and sends no further model request", () => {
    const world = worldWith({ [limit]: ofOneRound / 2 });
    world.model("I will look", [{ name: "a" }], "stop", 0.1);
    expect(world.state.status).toBe("running");
    world.finish(effectOf(world, "a"), OK);
    expect(world.state).toMatchObject({ status: "completed", stopReason: limit });
    expect(world.state.output?.text).toContain("I will look");
    expect(types(world).slice(-3)).toEqual(["tool_call.completed", "limit.reached", "execution.completed"]);
  });

  it("is reached when it is used up, and not before", () => {
    const world = worldWith({ [limit]: 2 * ofOneRound });
    paidRound(world);
    expect(world.state.status).toBe("running");
    paidRound(world);
    expect(world.state.stopReason).toBe(limit);
  });

  it("counts a failed model turn, and then waits for no retry", () => {
    const world = worldWith({ [limit]: ofOneRound });
    const spending = { usage: { inputTokens: 14, outputTokens: 1 }, cost: { usd: 0.1, credits: 0 } };
    world.modelFails({ spending, retryAfterMs: 60_000 });
    expect(types(world).slice(-3)).toEqual(["model.failed", "limit.reached", "execution.completed"]);
    expect(world.state.stopReason).toBe(limit);
  });

  it("counts the cost and the model calls of tools", () => {
    const world = worldWith({ [limit]: 3 * ofOneRound });
    ask(world, "sum");
    const effect = effectOf(world, "sum");
    const usage = { inputTokens: 15, outputTokens: 15 };
    const startedAt = "2026-11-21T06:00:00.000Z";
    const cost = { usd: 0.2, credits: 0 };
    const modelCalls = [{ model: "m", startedAt, durationMs: 1, requests: 1, usage, cost }];
    const toolCallId = effect.call.id;
    world.feed({ type: "inline_finished", toolCallId, outcome: OK, cost: { usd: 0.1, credits: 0 }, modelCalls });
    expect(world.state.stopReason).toBe(limit);
  });

  it("does not apply to an execution that an older gateway started", () => {
    const world = worldWith({ [limit]: ofOneRound });
    const [started] = world.events;
    if (started?.type !== "execution.started") throw new Error("expected the start");
    const { maxCostUsd: _cost, maxTotalTokens: _tokens, ...older } = started.limits;
    const state = fold(initialState(started.executionId), { ...started, limits: older });
    expect(state.limits).toMatchObject({ maxCostUsd: null, maxTotalTokens: null, ...older });
  });
});

describe("maxWallTimeMs", () => {
  it.each([
    [999, null],
    [1_000, "maxWallTimeMs"],
  ])("of 1000 ms after %i ms", (elapsedMs, stopReason) => {
    const world = worldWith({ maxWallTimeMs: 1_000 });
    world.now += elapsedMs;
    world.feed({ type: "tick" });
    expect(world.state.stopReason).toBe(stopReason);
    expect(world.effects).toHaveLength(stopReason === null ? 1 : 0);
  });

  it.each<[string, Failure, string]>([
    ["that had left", ABORTED, "while the tool was working"],
    ["that waited to be sent", { ...ABORTED, outcome: "none" }, "before this call was sent"],
  ])("aborts every call %s, and names the time limit", (_name, failure, words) => {
    const world = worldWith({ maxWallTimeMs: 1_000 });
    ask(world, "read", "write", "sum");
    world.wake();
    expect(world.effects.map((effect) => effect.type === "attempt" && effect.isAborted)).toEqual([true, true]);
    for (const name of ["read", "write"]) world.finish(effectOf(world, name), { failure });
    expect(world.state).toMatchObject({ status: "completed", stopReason: "maxWallTimeMs" });
    expect(calls(world)[1]?.error).toMatchObject({
      code: "TIMEOUT",
      outcome: failure.outcome,
      message: expect.stringContaining(words),
    });
    expect(calls(world)[2]).toMatchObject({ error: { code: "BUDGET_EXCEEDED" } });
  });

  it("names the limit in the whole error, without a cancellation or advice to retry", () => {
    const world = worldWith({ maxWallTimeMs: 1_000 });
    ask(world, "idempotent", "write");
    world.wake();
    const failure = { ...ABORTED, developerMessage: "cancelled by the caller" };
    for (const name of ["idempotent", "write"]) world.finish(effectOf(world, name), { failure });
    const error = {
      code: "TIMEOUT",
      message: "the execution reached its time limit while the tool was working",
      developerMessage: "the time limit of 1000 ms was reached",
      retryable: false,
      outcome: "unknown",
    };
    expect(calls(world).map((call) => call.error)).toMatchObject([
      { ...error, hint: "the execution has no time left for this call; continue without it" },
      { ...error, hint: "the call may have taken effect; check before you repeat it" },
    ]);
  });

  it("keeps a result that arrived at the same moment", () => {
    const world = worldWith({ maxWallTimeMs: 1_000 });
    ask(world, "write");
    world.now += 1_000;
    world.finish(effectOf(world, "write"), { result: "written" });
    expect(calls(world)[0]).toMatchObject({ status: "completed", result: "written" });
    expect(world.state.stopReason).toBe("maxWallTimeMs");
  });

  it("ends a call that waits for its retry, and one that waits for a fallback", () => {
    const world = worldWith({ maxWallTimeMs: 10_000 }, 30_000);
    ask(world, "patient", "a", "write");
    world.finish(effectOf(world, "patient"), { failure: { ...NETWORK_DOWN, retryAfterMs: 9_000 } });
    world.finish(effectOf(world, "a"), DOWN);
    expect(calls(world).map(({ status }) => status)).toEqual(["running", "waiting_fallback", "running"]);
    world.now += 10_000;
    world.feed({ type: "tick" });
    world.finish(effectOf(world, "write"), { failure: ABORTED });
    expect(world.state.stopReason).toBe("maxWallTimeMs");
    expect(calls(world).map(({ error }) => error?.code)).toEqual(["BUDGET_EXCEEDED", "NETWORK_ERROR", "TIMEOUT"]);
  });

  it("gives way to a cancellation while its calls are aborted", () => {
    const world = worldWith({ maxWallTimeMs: 1_000 });
    ask(world, "write");
    world.wake();
    world.order({ type: "cancel" });
    world.feed({ type: "tick" });
    world.finish(effectOf(world, "write"), { failure: ABORTED });
    expect(world.state).toMatchObject({ status: "cancelled", stopReason: "cancelled" });
  });
});
