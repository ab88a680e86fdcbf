import { describe, expect, it } from "vitest";
import { wakeAt } from "../src/effects.ts";
import type { ExecutionConfig, ToolTraits } from "../src/execution-config.ts";
import type { Command, MachineInput } from "../src/inputs.ts";
import { spentMs } from "../src/state.ts";
import { limitsWith, MachineWorld, NETWORK_DOWN, planWith, TIMED_OUT } from "./support/machine-world.ts";

const EXPIRY_MS = 60_000;

const deliver = (result: string, toolCallId = "tc_1"): Command => ({
  type: "callback",
  toolCallId,
  bodyHash: `sha256:${result}`,
  outcome: { result },
});
const bringError: Command = {
  type: "callback",
  toolCallId: "tc_1",
  bodyHash: "sha256:error",
  outcome: { error: { code: "SOLD_OUT", message: "no seat is left", hint: "another day", retryable: true } },
};

/** An execution whose first turn calls an asynchronous tool once, or more often. */
function begin(tool: Partial<ToolTraits> = {}, change: Partial<ExecutionConfig> = {}, calls = 1) {
  const tools = { later: { isAsync: true, ...tool }, plain: {} };
  const world = new MachineWorld(planWith(tools, { callbackExpiryMs: EXPIRY_MS, ...change })).start();
  world.model(
    "",
    Array.from({ length: calls }, () => ({ name: "later" })),
  );
  return world;
}

/** The same, once it was answered 202. */
function defer(...args: Parameters<typeof begin>) {
  const world = begin(...args);
  for (const effect of world.effects) world.finish(effect, { pending: true });
  return world;
}

const callsOf = (world: MachineWorld) => world.state.turns[0]?.calls ?? [];
const tick = (world: MachineWorld) => world.feed({ type: "tick" } satisfies MachineInput);
function only(world: MachineWorld) {
  const [effect, ...others] = world.effects;
  if (effect === undefined || others.length > 0) throw new Error(`expected one effect, got ${world.effects.length}`);
  return effect;
}

describe("a call that was deferred", () => {
  it("waits, and its execution with it, until the callback expires", () => {
    const world = defer();
    const until = world.now + EXPIRY_MS;
    expect(world.effects).toEqual([]);
    expect(callsOf(world)).toMatchObject([{ status: "waiting_callback", callbackUntil: until }]);
    expect(world.state.status).toBe("waiting");
    expect(world.events.at(-1)).toMatchObject({ reason: "callback", until: new Date(until).toISOString() });
    expect(wakeAt(world.state, world.config, world.now)).toBe(until);
  });

  it("ends with the delivered result, and uses none of the execution's time until then", () => {
    const world = defer({}, { limits: limitsWith({ maxWallTimeMs: 1_000 }) });
    world.now += EXPIRY_MS - 1;
    expect(world.order(deliver("done"))).toMatchObject([{ type: "callback.received", result: "done" }]);
    expect(spentMs(world.state, world.now)).toBe(0);
    expect(world.state.status).toBe("waiting");
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "completed", via: "callback", result: "done" }]);
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it("fails with the handler's own error when a callback delivers one", () => {
    const world = defer();
    world.order(bringError);
    tick(world);
    expect(callsOf(world)).toMatchObject([
      {
        status: "failed",
        error: { code: "SOLD_OUT", hint: "another day", source: "handler", outcome: "none", retryable: true },
      },
    ]);
  });

  it("has an unknown outcome without a callback", () => {
    const world = defer({ sideEffect: "non_idempotent_write", retries: 3 });
    world.wake();
    expect(callsOf(world)).toMatchObject([
      { status: "failed", error: { code: "TIMEOUT", outcome: "unknown", retryable: false, source: "gateway" } },
    ]);
    expect(only(world)).toMatchObject({ type: "model" });
  });

  it("waits for a fallback without a callback, and accepts no callback then", () => {
    const world = defer({}, { fallbackWaitMs: 5_000 });
    world.wake();
    expect(callsOf(world)).toMatchObject([{ status: "waiting_fallback", error: { code: "TIMEOUT" } }]);
    expect(world.order(deliver("late"))).toEqual([]);
  });

  it("waits beside others, each for its own callback", () => {
    const world = defer({}, {}, 3);
    world.order(deliver("second", "tc_2"));
    tick(world);
    expect(callsOf(world).map(({ status }) => status)).toEqual(["waiting_callback", "completed", "waiting_callback"]);
    expect(world.state.status).toBe("waiting");
    world.order(deliver("first", "tc_1"));
    world.order(deliver("third", "tc_3"));
    tick(world);
    expect(callsOf(world).map(({ result }) => result)).toEqual(["first", "second", "third"]);
    expect(only(world)).toMatchObject({ type: "model" });
  });

  it.each<[string, (world: MachineWorld) => void, string]>([
    ["is cancelled", (world) => world.order({ type: "cancel" }), "CANCELLED"],
    [
      "runs out of time through a sibling",
      (world) => {
        world.now += 1_000;
      },
      "BUDGET_EXCEEDED",
    ],
  ])("ends with its execution when that %s, and may have happened", (_name, end, code) => {
    const world = begin({}, { limits: limitsWith({ maxWallTimeMs: 1_000 }) }, 2);
    const [first] = world.effects;
    if (first === undefined) throw new Error("expected two attempts");
    world.finish(first, { pending: true });
    end(world);
    tick(world);
    expect(callsOf(world)[0]).toMatchObject({ error: { code, outcome: "unknown" } });
    expect(world.order(deliver("late"))).toEqual([]);
  });

  it("is not changed by a restart", () => {
    const world = defer();
    expect(world.restart()).toEqual([]);
    expect(callsOf(world)).toMatchObject([{ status: "waiting_callback" }]);
  });
});

describe("a callback", () => {
  it.each<[string, (world: MachineWorld) => unknown]>([
    ["another one arrived first", (world) => world.order(deliver("first"))],
    ["it has expired, although no tick has followed", (world) => (world.now += EXPIRY_MS)],
    ["the execution is cancelled", (world) => world.order({ type: "cancel" })],
    ["the call has ended", (world) => world.wake()],
  ])("is not taken when %s", (_name, before) => {
    const world = defer();
    before(world);
    expect(world.order(deliver("second"))).toEqual([]);
  });

  it("is not accepted before the first attempt, nor for a synchronous tool", () => {
    const world = new MachineWorld(planWith({ plain: {} })).start();
    world.model("", [{ name: "plain" }]);
    expect(world.order(deliver("early"))).toEqual([]);
    expect(world.order(deliver("of nothing", "tc_9"))).toEqual([]);
  });

  it("that arrives before the response that announces it counts once that response is there", () => {
    const world = begin();
    world.order(deliver("early"));
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "running" }]);
    world.finish(only(world), { pending: true });
    expect(callsOf(world)).toMatchObject([{ status: "completed", via: "callback", result: "early" }]);
  });

  it.each<[string, Parameters<MachineWorld["finish"]>[1]]>([
    ["another result", { result: "later" }],
    ["a failure that could be repeated", { failure: NETWORK_DOWN }],
    ["nothing in time", { failure: TIMED_OUT }],
  ])("counts, and ends the retries, when the running attempt comes to %s", (_name, answer) => {
    const world = begin({ retries: 5, sideEffect: "idempotent_write" }, { fallbackWaitMs: 5_000 });
    world.order(deliver("early"));
    world.finish(only(world), answer);
    expect(callsOf(world)).toMatchObject([{ status: "completed", via: "callback", result: "early" }]);
    expect(callsOf(world)[0]?.attempts).toHaveLength(1);
  });

  it("prevents sending what was not sent yet", () => {
    const world = begin({ retries: 5 });
    world.finish(only(world), { failure: NETWORK_DOWN });
    world.wake();
    expect(only(world)).toMatchObject({ number: 2, isTooLateToSend: false });
    world.order(deliver("early"));
    expect(only(world)).toMatchObject({ number: 2, isTooLateToSend: true, isAborted: false });
  });

  it("counts while a retry waits", () => {
    const world = begin({ retries: 5 });
    world.finish(only(world), { failure: NETWORK_DOWN });
    world.order(deliver("early"));
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "completed", via: "callback" }]);
  });

  it("counts for the next owner after the gateway stopped in the middle of the attempt", () => {
    const world = begin({ sideEffect: "non_idempotent_write" });
    world.order(deliver("early"));
    world.restart();
    expect(callsOf(world)).toMatchObject([
      { status: "completed", via: "callback", attempts: [{ errorCode: "OUTCOME_UNKNOWN" }] },
    ]);
  });

  it("counts when the execution is cancelled before its owner has seen it", () => {
    const world = defer();
    world.order(deliver("in time"));
    world.order({ type: "cancel" });
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "completed", result: "in time" }]);
    expect(world.state.status).toBe("cancelled");
  });

  it("has the same expiry in every attempt", () => {
    const world = begin({ retries: 5 });
    world.finish(only(world), { failure: NETWORK_DOWN });
    world.wake();
    const until = world.events.flatMap((event) => (event.type === "attempt.started" ? [event.callbackUntil] : []));
    expect(until).toHaveLength(2);
    expect(new Set(until).size).toBe(1);
  });
});

describe("while the caller is asked about a failed attempt", () => {
  function hold() {
    const world = begin({ sideEffect: "non_idempotent_write" }, { fallbackWaitMs: 5_000 });
    world.finish(only(world), { failure: TIMED_OUT });
    expect(callsOf(world)).toMatchObject([{ status: "waiting_fallback" }]);
    return world;
  }
  const fallback: Command = { type: "fallback", toolCallId: "tc_1", fallback: { result: "by hand" } };

  it("a result that a callback delivers ends the hold", () => {
    const world = hold();
    world.order(deliver("found"));
    expect(world.order(fallback)).toEqual([]);
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "completed", via: "callback", result: "found" }]);
  });

  it("an error that a callback delivers leaves it open, and is the error of the call", () => {
    const world = hold();
    world.order(bringError);
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "waiting_fallback" }]);
    world.wake();
    expect(callsOf(world)).toMatchObject([{ status: "failed", error: { code: "SOLD_OUT" } }]);
  });

  it("the caller may still supply a fallback for an error that a callback delivered", () => {
    const world = hold();
    world.order(bringError);
    world.order(fallback);
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "completed", via: "fallback", result: "by hand" }]);
  });

  it("nothing is taken once the caller has answered", () => {
    const world = hold();
    world.order(fallback);
    expect(world.order(deliver("second"))).toEqual([]);
  });

  it("is offered once for an error that a callback delivered", () => {
    const world = defer({}, { fallbackWaitMs: 5_000 });
    world.order(bringError);
    tick(world);
    tick(world);
    expect(world.types.filter((type) => type === "tool_call.failed")).toHaveLength(1);
    expect(callsOf(world)).toMatchObject([{ status: "waiting_fallback", error: { code: "SOLD_OUT" } }]);
    world.wake();
    expect(callsOf(world)).toMatchObject([{ status: "failed", error: { code: "SOLD_OUT" } }]);
  });
});
