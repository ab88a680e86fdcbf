import { describe, expect, it } from "vitest";
import type { ExecutionConfig, ToolTraits } from "../src/execution-config.ts";
import { remainingWallMs } from "../src/state.ts";
import { ADMITTED, limitsWith, MachineWorld, NETWORK_DOWN, planWith, TIMED_OUT } from "./support/machine-world.ts";

const refused = (code: string, isDenied = false) => ({
  ...ADMITTED,
  refusal: { ...NETWORK_DOWN, code, message: "no", isDenied },
});

/** The one effect under way. */
function only(world: MachineWorld) {
  const [effect, ...others] = world.effects;
  if (effect === undefined || others.length > 0) throw new Error(`expected one effect, got ${world.effects.length}`);
  return effect;
}

describe("an execution", () => {
  it("runs a model turn, its calls together and another model turn, and ends with the reply", () => {
    const world = new MachineWorld(planWith({ a: {}, b: {} })).start();
    world.model("", [{ name: "a" }, { name: "b" }]);
    const [first, second] = world.effects;
    if (first === undefined || second === undefined) throw new Error("expected two calls under way");
    world.finish(second, { result: 2 });
    expect(world.effects.map((effect) => effect.key)).toEqual([first.key]);
    world.finish(first, { result: 1 });
    world.model("both done");
    expect(world.types).toEqual([
      "execution.started",
      "model.requested",
      "model.responded",
      "tool_call.requested",
      "tool_call.requested",
      "attempt.started",
      "attempt.started",
      "attempt.finished",
      "tool_call.completed",
      "attempt.finished",
      "tool_call.completed",
      "model.requested",
      "model.responded",
      "execution.completed",
    ]);
    expect(world.state).toMatchObject({ status: "completed", stopReason: "final", output: { text: "both done" } });
    expect(world.events.map((event) => event.seq)).toEqual(world.events.map((_event, index) => index + 1));
  });

  it("fails a refused call without running it, and continues", () => {
    const world = new MachineWorld(planWith({ a: {} })).start();
    world.model("", [
      { name: "a", admission: refused("INVALID_ARGUMENTS") },
      { name: "a", admission: refused("POLICY_DENIED", true) },
    ]);
    expect(world.state.turns[0]?.calls.map((call) => call.status)).toEqual(["failed", "denied"]);
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it("runs none of the calls of a truncated model turn", () => {
    const world = new MachineWorld(planWith({ a: {} })).start();
    const turn = {
      turn: 1,
      attempt: 1,
      text: "",
      usage: { inputTokens: 1, outputTokens: 1 },
      cost: { usd: 0, credits: 0 },
    };
    const calls = [{ toolCallId: "tc_1", name: "a", parameters: {}, admission: ADMITTED }];
    world.feed({ type: "model_responded", ...turn, finishReason: "length", calls });
    expect(world.types).not.toContain("attempt.started");
    expect(world.state.turns[0]?.calls[0]?.error?.code).toBe("INVALID_ARGUMENTS");
  });

  it("ignores a repeated input and a reply to a model turn that has ended", () => {
    const world = new MachineWorld(planWith({ a: {} })).start();
    world.model("", [{ name: "a" }]);
    const attempt = only(world);
    world.finish(attempt, { result: 1 });
    expect(world.finish(attempt, { result: 2 })).toEqual([]);
    world.model("done");
    expect(world.modelFails()).toEqual([]);
  });
});

describe("retries", () => {
  it.each<[string, Partial<ToolTraits>, typeof TIMED_OUT, boolean]>([
    ["nothing is repeated without retries", {}, NETWORK_DOWN, false],
    ["a failure that never left is repeated", { retries: 1 }, NETWORK_DOWN, true],
    ["one that cannot help is not", { retries: 1 }, { ...NETWORK_DOWN, isRetryable: false }, false],
    ["an unknown outcome is repeated where the author asked for retries", { retries: 1 }, TIMED_OUT, true],
    ["an unknown outcome of a read is repeated", { retries: 1, sideEffect: "read_only" }, TIMED_OUT, true],
    ["an unknown outcome of an idempotent write is", { retries: 1, sideEffect: "idempotent_write" }, TIMED_OUT, true],
    ["of another write it is not", { retries: 5, sideEffect: "non_idempotent_write" }, TIMED_OUT, false],
    ["of a destructive call it is not", { retries: 5, sideEffect: "destructive" }, TIMED_OUT, false],
    ["a write that never left is repeated", { retries: 1, sideEffect: "destructive" }, NETWORK_DOWN, true],
  ])("%s", (_name, traits, failure, isRepeated) => {
    const world = new MachineWorld(planWith({ a: traits })).start();
    world.model("", [{ name: "a" }]);
    world.finish(only(world), { failure });
    world.wake();
    expect(world.types.filter((type) => type === "attempt.started")).toHaveLength(isRepeated ? 2 : 1);
  });

  it("waits with full jitter and doubling, or as long as Retry-After says", () => {
    const world = new MachineWorld(planWith({ a: { retries: 3 } })).start();
    world.model("", [{ name: "a" }]);
    const delays = [undefined, undefined, 7_000].map((retryAfterMs) => {
      const before = world.now;
      world.finish(only(world), {
        failure: { ...NETWORK_DOWN, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
      });
      world.wake();
      return world.now - before;
    });
    expect(delays).toEqual([500, 1_000, 7_000]);
  });

  it("gives up when Retry-After exceeds the remaining time", () => {
    const world = new MachineWorld(
      planWith({ a: { retries: 3 } }, { limits: limitsWith({ maxWallTimeMs: 5_000 }) }),
    ).start();
    world.model("", [{ name: "a" }]);
    world.finish(only(world), { failure: { ...NETWORK_DOWN, retryAfterMs: 6_000 } });
    expect(world.state.turns[0]?.calls[0]).toMatchObject({
      status: "failed",
      error: { code: "NETWORK_ERROR", attempts: 1 },
    });
  });

  it("reports an unknown outcome if any attempt has one", () => {
    const world = new MachineWorld(planWith({ a: { retries: 1 } })).start();
    world.model("", [{ name: "a" }]);
    world.finish(only(world), { failure: TIMED_OUT });
    world.wake();
    world.finish(only(world), { failure: NETWORK_DOWN });
    expect(world.state.turns[0]?.calls[0]?.error).toMatchObject({
      code: "NETWORK_ERROR",
      outcome: "unknown",
      retryable: false,
      hint: expect.stringContaining("check before"),
    });
  });

  it.each([
    ["what the model says of it", "I can't help with that.", "I can't help with that."],
    ["nothing said", " ", "The model refused to answer."],
  ])("ends as refused when the model refuses to answer, with %s", (_what, text, output) => {
    const world = new MachineWorld(planWith({})).start();
    world.model(text, [], "refused");
    expect(world.state).toMatchObject({ status: "completed", stopReason: "refused", output: { text: output } });
  });

  it("repeats a model turn four times, then fails", () => {
    const world = new MachineWorld(planWith({})).start();
    for (let failure = 0; failure < 4; failure += 1) {
      world.modelFails();
      world.wake();
    }
    expect(only(world)).toMatchObject({ type: "model", attempt: 5 });
    world.modelFails();
    expect(world.state).toMatchObject({ status: "failed", stopReason: "error", error: { code: "MODEL_ERROR" } });
  });

  it.each<[string, number, string, number]>([
    ["far off, without spending time", 5_000, "waiting", 10_000],
    ["soon, as part of its work", 4_999, "running", 5_001],
  ])("asks the model again when the provider wants it: %s", (_what, retryAfterMs, status, remainingMs) => {
    const limits = limitsWith({ maxWallTimeMs: 10_000 });
    const world = new MachineWorld(planWith({}, { limits })).start();
    world.modelFails({ retryAfterMs });
    expect(world.state.status).toBe(status);
    world.now += retryAfterMs - 1;
    expect(world.feed({ type: "tick" })).toEqual([]);
    world.now += 1;
    expect(world.feed({ type: "tick" })).toMatchObject([{ type: "model.requested", turn: 1, attempt: 2 }]);
    expect(world.state.status).toBe("running");
    expect(remainingWallMs(world.state, world.now)).toBe(remainingMs);
  });

  it("does not count waiting for a retry as time spent", () => {
    const limits = limitsWith({ maxWallTimeMs: 10_000 });
    const world = new MachineWorld(planWith({ a: { retries: 9 } }, { limits })).start();
    world.model("", [{ name: "a" }]);
    for (let retry = 0; retry < 5; retry += 1) {
      world.finish(only(world), { failure: { ...NETWORK_DOWN, retryAfterMs: 8_000 } });
      expect(world.state.status).toBe("waiting");
      world.wake();
    }
    expect(world.state.status).toBe("running");
  });
});

describe("after a crash", () => {
  it.each<[string, Partial<ToolTraits>, boolean]>([
    ["a read on its way is sent again", { sideEffect: "read_only" }, true],
    ["an idempotent write is", { sideEffect: "idempotent_write" }, true],
    ["a tool that declares nothing but has retries is", { retries: 1 }, true],
    ["a tool that declares nothing is not", {}, false],
    ["another write is not, whatever its retries", { sideEffect: "non_idempotent_write", retries: 9 }, false],
    ["a destructive call is not", { sideEffect: "destructive", retries: 9 }, false],
  ])("%s", (_name, traits, isRepeated) => {
    const world = new MachineWorld(planWith({ a: traits })).start();
    world.model("", [{ name: "a" }]);
    world.restart();
    const call = world.state.turns[0]?.calls[0];
    expect(call?.attempts[0]).toMatchObject({ errorCode: "OUTCOME_UNKNOWN", outcome: "unknown" });
    if (isRepeated) expect(only(world)).toMatchObject({ type: "attempt", number: 2 });
    else expect(call).toMatchObject({ status: "failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } });
  });

  it("does not send a call for ever that crashes the gateway", () => {
    const world = new MachineWorld(planWith({ a: { sideEffect: "read_only" } })).start();
    world.model("", [{ name: "a" }]);
    for (let crash = 0; crash < 4; crash += 1) world.restart();
    expect(world.state.turns[0]?.calls[0]?.status).toBe("failed");
  });

  it("repeats the model turn, without counting a retry or the time in which nothing ran", () => {
    const world = new MachineWorld(planWith({}, { limits: limitsWith({ maxWallTimeMs: 60_000 }) })).start();
    world.now += 3_600_000;
    world.restart();
    expect(only(world)).toMatchObject({ type: "model", turn: 1, attempt: 2 });
    expect(world.state.turns[0]?.failures).toBe(0);
  });

  it("does not repeat a model turn for ever that crashes the gateway", () => {
    const world = new MachineWorld(planWith({})).start();
    for (let crash = 0; crash < 20; crash += 1) world.restart();
    expect(world.state.status).toBe("running");
    world.restart();
    expect(world.state).toMatchObject({ status: "failed", error: { code: "MODEL_ERROR" } });
  });

  it("does not run a call inside the gateway for ever that crashes it", () => {
    const world = new MachineWorld(planWith({ sum: { executor: "inline" } })).start();
    world.model("", [{ name: "sum" }]);
    for (let crash = 0; crash < 3; crash += 1) {
      world.restart();
      expect(only(world)).toMatchObject({ type: "inline" });
    }
    world.restart();
    expect(world.state.turns[0]?.calls[0]).toMatchObject({ status: "failed", error: { code: "INTERNAL" } });
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it.each<[string, (world: MachineWorld) => void, number]>([
    ["a model turn that waits to be asked again", (world) => world.modelFails({ retryAfterMs: 5_000 }), 40_000],
    ["a call inside the gateway", (world) => world.model("", [{ name: "sum" }]), 40_000],
    ["a call that may be repeated", (world) => world.model("", [{ name: "read" }]), 40_000],
    // What was spent before the crash is not known further than to the last event.
    ["a model turn", () => {}, 60_000],
  ])("does not count the time in which nothing ran: %s", (_name, arrive, remainingMs) => {
    const tools = { sum: { executor: "inline" }, read: { sideEffect: "read_only" } } as const;
    const world = new MachineWorld(planWith(tools, { limits: limitsWith({ maxWallTimeMs: 60_000 }) })).start();
    world.now += 20_000;
    arrive(world);
    world.now += 3_600_000;
    world.restart();
    expect(world.state.status).toBe("running");
    expect(remainingWallMs(world.state, world.now)).toBe(remainingMs);
  });

  it("fails a call whose tool no longer exists", () => {
    const world = new MachineWorld(planWith({ a: {} })).start();
    world.model("", [{ name: "gone" }]);
    expect(world.state.turns[0]?.calls[0]).toMatchObject({ status: "failed", error: { code: "UNKNOWN_TOOL" } });
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it("keeps the results of other calls that have ended", () => {
    const world = new MachineWorld(planWith({ a: {}, b: {} })).start();
    world.model("", [{ name: "a" }, { name: "b" }]);
    const [first] = world.effects;
    if (first !== undefined) world.finish(first, { result: "kept" });
    world.restart();
    expect(world.state.turns[0]?.calls.map((call) => call.status)).toEqual(["completed", "failed"]);
  });
});

describe("fallback", () => {
  const held = () => {
    const world = new MachineWorld(planWith({ a: {} }, { fallbackWaitMs: 30_000 })).start();
    world.model("", [{ name: "a" }]);
    world.finish(only(world), { failure: NETWORK_DOWN });
    return world;
  };
  const heldCall = (world: MachineWorld) => world.state.turns.flatMap((turn) => turn.calls).at(-1)?.id ?? "";

  it("holds a failed call and accepts the caller's result", () => {
    const world = held();
    expect(world.state.status).toBe("waiting");
    world.order({ type: "fallback", toolCallId: heldCall(world), fallback: { result: "from the cache" } });
    world.feed({ type: "tick" });
    expect(world.state.turns[0]?.calls[0]).toMatchObject({
      status: "completed",
      via: "fallback",
      result: "from the cache",
    });
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it("lets the model read the error when the caller declines, and holds the next failed call", () => {
    const world = held();
    world.order({ type: "fallback", toolCallId: heldCall(world), fallback: "decline" });
    world.feed({ type: "tick" });
    expect(world.state.turns[0]?.calls[0]?.status).toBe("failed");
    world.model("", [{ name: "a" }]);
    world.finish(only(world), { failure: NETWORK_DOWN });
    expect(world.state.status).toBe("waiting");
  });

  it("is not offered any more after a hold that expired", () => {
    const world = held();
    world.wake();
    expect(world.state).toMatchObject({ status: "running", isFallbackExhausted: true });
    world.model("", [{ name: "a" }]);
    world.finish(only(world), { failure: NETWORK_DOWN });
    expect(world.state.turns[1]?.calls[0]?.status).toBe("failed");
  });

  it("is accepted once, and not after the hold has expired", () => {
    const world = held();
    const toolCallId = heldCall(world);
    const late = new MachineWorld(world.config);
    late.state = world.state;
    late.now = world.now + 30_000;
    expect(late.order({ type: "fallback", toolCallId, fallback: { result: 1 } })).toEqual([]);
    world.order({ type: "fallback", toolCallId, fallback: { result: 1 } });
    expect(world.order({ type: "fallback", toolCallId, fallback: { result: 2 } })).toEqual([]);
  });

  it("is not offered for refusals of the gateway itself", () => {
    const world = new MachineWorld(planWith({ a: {} }, { fallbackWaitMs: 30_000 })).start();
    world.model("", [{ name: "a", admission: refused("INVALID_ARGUMENTS") }]);
    expect(world.state.turns[0]?.calls[0]?.status).toBe("failed");
  });

  it("is offered for a handler's error even with the code of a refusal", () => {
    const world = new MachineWorld(planWith({ a: {} }, { fallbackWaitMs: 30_000 })).start();
    world.model("", [{ name: "a" }]);
    world.finish(only(world), {
      failure: { ...NETWORK_DOWN, code: "POLICY_DENIED", source: "handler", isRetryable: false },
    });
    expect(world.state.turns[0]?.calls[0]?.status).toBe("waiting_fallback");
  });
});

describe("the cost of an abandoned model turn", () => {
  const OPENAI = { model: "openai/gpt-5" };

  it.each<[string, Partial<ExecutionConfig>, boolean]>([
    ["is not known", OPENAI, true],
    ["is nothing where the model is scripted", {}, false],
  ])("%s, when it is cancelled, its time is over or the gateway stops", (_what, config, isPartial) => {
    const cost = { usd: 0, credits: 0, ...(isPartial ? { isPartial } : {}) };
    const cancelled = new MachineWorld(planWith({}, config)).start();
    cancelled.order({ type: "cancel" });
    cancelled.feed({ type: "tick" });
    expect(cancelled.events.at(-1)).toMatchObject({ type: "execution.cancelled" });
    const late = new MachineWorld(planWith({}, config)).start();
    late.now += late.config.limits.maxWallTimeMs;
    late.feed({ type: "tick" });
    expect(late.events.at(-1)).toMatchObject({ type: "execution.completed", stopReason: "maxWallTimeMs" });
    const restarted = new MachineWorld(planWith({}, config)).start();
    restarted.feed({ type: "recovered" });
    restarted.model("done");
    expect(restarted.events.at(-1)).toMatchObject({ type: "execution.completed", stopReason: "final" });
    for (const world of [cancelled, late, restarted]) {
      expect(world.events.at(-1)).toMatchObject({ cost });
      expect(world.state.cost).toEqual(cost);
    }
  });

  it("is known, when the turn had failed or none had begun", () => {
    const failed = new MachineWorld(planWith({}, OPENAI)).start();
    failed.modelFails();
    failed.order({ type: "cancel" });
    failed.feed({ type: "tick" });
    const queued = new MachineWorld(planWith({}, OPENAI));
    queued.order({ type: "cancel" });
    queued.start();
    const working = new MachineWorld(planWith({ a: {} }, OPENAI)).start();
    working.model("", [{ name: "a" }]);
    working.order({ type: "cancel" });
    working.feed({ type: "tick" });
    for (const world of [failed, queued, working]) expect(world.state.cost).toEqual({ usd: 0, credits: 0 });
  });
});

describe("cancellation", () => {
  it("keeps a fallback that was accepted", () => {
    const world = new MachineWorld(planWith({ a: {} }, { fallbackWaitMs: 30_000 })).start();
    world.model("", [{ name: "a" }]);
    world.finish(only(world), { failure: NETWORK_DOWN });
    const toolCallId = world.state.turns[0]?.calls[0]?.id ?? "";
    world.order({ type: "fallback", toolCallId, fallback: { result: "from the cache" } });
    world.order({ type: "cancel" });
    world.feed({ type: "tick" });
    expect(world.state.status).toBe("cancelled");
    expect(world.state.turns[0]?.calls[0]).toMatchObject({ status: "completed", result: "from the cache" });
  });

  it("sends nothing that was not sent yet", () => {
    const world = new MachineWorld(planWith({ a: { sideEffect: "non_idempotent_write" } })).start();
    world.model("", [{ name: "a" }]);
    expect(only(world)).toMatchObject({ isAborted: false, isTooLateToSend: false });
    world.order({ type: "cancel" });
    world.feed({ type: "tick" });
    expect(only(world)).toMatchObject({ isAborted: false, isTooLateToSend: true });
    world.finish(only(world), { failure: { ...NETWORK_DOWN, code: "CANCELLED" } });
    expect(world.state.turns[0]?.calls[0]).toMatchObject({ status: "cancelled", error: { outcome: "none" } });
  });

  it("ends a queued execution at once", () => {
    const world = new MachineWorld(planWith({}));
    world.order({ type: "cancel" });
    world.start();
    expect(world.state.status).toBe("cancelled");
  });

  it("drops the model turn", () => {
    const world = new MachineWorld(planWith({})).start();
    world.order({ type: "cancel" });
    world.feed({ type: "tick" });
    expect(world.state.status).toBe("cancelled");
  });

  it.each<[string, Partial<ToolTraits>, boolean]>([
    ["aborts a running read", { sideEffect: "read_only" }, true],
    ["awaits a running write", { sideEffect: "non_idempotent_write" }, false],
    ["awaits what may be a write", {}, false],
  ])("%s", (_name, traits, isAborted) => {
    const world = new MachineWorld(planWith({ a: traits })).start();
    world.model("", [{ name: "a", admission: { ...ADMITTED, sideEffect: traits.sideEffect ?? null } }]);
    world.order({ type: "cancel" });
    world.feed({ type: "tick" });
    expect(only(world)).toMatchObject({ isAborted });
    world.finish(only(world), { result: "recorded" });
    expect(world.state).toMatchObject({ status: "cancelled", stopReason: "cancelled" });
    expect(world.state.turns[0]?.calls[0]?.result).toBe("recorded");
  });

  it("starts no retry and no hold", () => {
    const world = new MachineWorld(planWith({ a: { retries: 3 } }, { fallbackWaitMs: 1_000 })).start();
    world.model("", [{ name: "a" }]);
    world.order({ type: "cancel" });
    world.finish(only(world), { failure: NETWORK_DOWN });
    expect(world.state.status).toBe("cancelled");
    expect(world.state.turns[0]?.calls[0]).toMatchObject({ status: "failed", error: { code: "NETWORK_ERROR" } });
  });
});
