import type { InputQuestion } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { wakeAt } from "../src/effects.ts";
import type { ExecutionConfig, ToolTraits } from "../src/execution-config.ts";
import { continuationOf } from "../src/input-state.ts";
import type { Command } from "../src/inputs.ts";
import { spentMs } from "../src/state.ts";
import { limitsWith, MachineWorld, NETWORK_DOWN, planWith, TIMED_OUT } from "./support/machine-world.ts";

const EXPIRY_MS = 60_000;
const COLOUR: InputQuestion = {
  ...{ key: "colour", mode: "form", message: "Which colour?" },
  schema: { type: "object", properties: { colour: { type: "string" } } },
};
const ANSWERS = { colour: { action: "accept", content: { colour: "green" } } } as const;
const BLUE = { colour: { action: "accept", content: { colour: "blue" } } } as const;

const input = (round: number, answers: Extract<Command, { type: "input" }>["answers"] = ANSWERS): Command => ({
  ...{ type: "input", toolCallId: "tc_1", round, answers, keyId: "key_1" },
});

function begin(tool: Partial<ToolTraits> = {}, change: Partial<ExecutionConfig> = {}) {
  const world = new MachineWorld(planWith({ paint: tool, plain: {} }, { approvalExpiryMs: EXPIRY_MS, ...change }));
  world.start().model("", [{ name: "paint" }]);
  return world;
}

function only(world: MachineWorld) {
  const [effect, ...others] = world.effects;
  if (effect?.type !== "attempt" || others.length > 0) throw new Error("expected one attempt");
  return effect;
}

const ask = (world: MachineWorld, requestState = "state", questions: readonly InputQuestion[] = [COLOUR]) =>
  world.finish(only(world), { inputRequired: { questions, requestState } });
const callOf = (world: MachineWorld) => world.state.turns[0]?.calls[0];

/** A call whose question was asked and answered. */
function answered(tool: Partial<ToolTraits> = {}, change: Partial<ExecutionConfig> = {}) {
  const world = begin(tool, change);
  ask(world);
  world.order(input(1));
  world.feed({ type: "tick" });
  return world;
}

describe("a tool that asks", () => {
  it("waits for the answers, and the execution with it, until the question expires", () => {
    const world = begin({}, { limits: limitsWith({ maxWallTimeMs: 1_000 }) });
    ask(world);
    const until = world.now + EXPIRY_MS;
    expect(world.effects).toEqual([]);
    expect(callOf(world)).toMatchObject({ status: "waiting_input", input: { round: 1, status: "pending" } });
    expect(world.state.status).toBe("waiting");
    expect(world.events.at(-1)).toMatchObject({ reason: "input", until: new Date(until).toISOString() });
    expect(wakeAt(world.state, world.config, world.now)).toBe(until);
    world.now += EXPIRY_MS - 1;
    expect(spentMs(world.state, world.now)).toBe(0);
  });

  it("is called again with the answers and its own state", () => {
    const world = answered();
    const { call, number } = only(world);
    expect(number).toBe(2);
    expect(continuationOf(call)).toEqual({ answers: ANSWERS, requestState: "state" });
    world.finish(only(world), { result: "painted" });
    expect(callOf(world)).toMatchObject({ status: "completed", result: "painted" });
  });

  it.each<[string, Command]>([
    ["another round", input(2)],
    ["an earlier round", input(0)],
    ["another call", { ...input(1), type: "input", toolCallId: "tc_9", round: 1, answers: ANSWERS, keyId: null }],
  ])("does not take answers for %s", (_what, command) => {
    const world = begin();
    ask(world);
    expect(world.order(command)).toEqual([]);
  });

  it("takes the first answers only", () => {
    const world = begin();
    ask(world);
    expect(world.order(input(1))).toMatchObject([{ type: "input.received", answers: ANSWERS }]);
    expect(world.order(input(1, BLUE))).toEqual([]);
    world.feed({ type: "tick" });
    expect(continuationOf(only(world).call)?.answers).toEqual(ANSWERS);
  });

  it("fails if no person answers in time, and a late answer changes nothing", () => {
    const world = begin();
    ask(world);
    world.now += EXPIRY_MS;
    expect(world.order(input(1))).toEqual([]);
    world.feed({ type: "tick" });
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "INPUT_EXPIRED", outcome: "none" } });
    expect(world.events).toContainEqual(expect.objectContaining({ type: "input.withdrawn", status: "expired" }));
  });

  it("is withdrawn when the execution is cancelled", () => {
    const world = begin();
    ask(world);
    world.order({ type: "cancel" });
    expect(world.order(input(1))).toEqual([]);
    world.feed({ type: "tick" });
    expect(world.events).toContainEqual(expect.objectContaining({ type: "input.withdrawn", status: "cancelled" }));
    expect(callOf(world)).toMatchObject({ status: "cancelled", error: { outcome: "none" } });
  });

  it("may ask in eight rounds, not in nine", () => {
    const world = begin();
    for (let round = 1; round <= 8; round += 1) {
      ask(world, `state ${round}`);
      expect(callOf(world)?.input).toMatchObject({ round, status: "pending" });
      world.order(input(round));
      world.feed({ type: "tick" });
    }
    ask(world);
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "INPUT_REFUSED", attempts: 9 } });
  });

  it("is called again after a pause if it asks nothing, with its state", () => {
    const world = begin();
    ask(world, "busy", []);
    expect(callOf(world)).toMatchObject({ status: "running", retryAt: world.now + 1_000 });
    world.wake();
    expect(continuationOf(only(world).call)).toEqual({ answers: {}, requestState: "busy" });
    ask(world, "still busy", []);
    expect(callOf(world)?.retryAt).toBe(world.now + 2_000);
  });

  it("keeps the execution waiting for its pause, not for the retry of a write that it holds back", () => {
    const write = { sideEffect: "non_idempotent_write", retries: 1 } as const;
    const world = new MachineWorld(planWith({ paint: write }, { approvalExpiryMs: EXPIRY_MS }));
    world.start().model("", [{ name: "paint" }, { name: "paint" }]);
    ask(world);
    const second = only(world);
    world.order(input(1));
    world.finish(second, { failure: NETWORK_DOWN });
    ask(world, "busy", []);
    const [held, asking] = [world.state.turns[0]?.calls[1]?.retryAt, callOf(world)?.retryAt];
    expect(held).toBeLessThan(Number(asking));
    expect(world.events.at(-1)).toMatchObject({
      ...{ type: "execution.waiting", reason: "retry" },
      until: new Date(Number(asking)).toISOString(),
    });
    expect(wakeAt(world.state, world.config, world.now)).toBe(asking);
  });

  it("starts over if its server no longer accepts the state, and its rounds count on", () => {
    const world = answered({ sideEffect: "destructive" });
    world.finish(only(world), { inputExpired: true });
    const { call, number } = only(world);
    expect(number).toBe(3);
    expect(continuationOf(call)).toBeUndefined();
    ask(world, "fresh");
    expect(callOf(world)?.input).toMatchObject({ round: 2, status: "pending" });
    expect(world.order(input(1))).toEqual([]);
  });
});

describe("the attempts of a call that asks", () => {
  it("do not count as retries, and a retry sends the same answers", () => {
    const world = answered({ retries: 1 });
    world.finish(only(world), { failure: NETWORK_DOWN });
    world.wake();
    expect(continuationOf(only(world).call)).toEqual({ answers: ANSWERS, requestState: "state" });
    world.finish(only(world), { failure: NETWORK_DOWN });
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "NETWORK_ERROR", attempts: 3 } });
  });

  it.each<[ToolTraits["sideEffect"], string, string | undefined]>([
    ["read_only", "running", undefined],
    ["idempotent_write", "running", undefined],
    ["non_idempotent_write", "failed", "OUTCOME_UNKNOWN"],
    ["destructive", "failed", "OUTCOME_UNKNOWN"],
  ])("are repeated after a crash as for any call: %s", (sideEffect, status, code) => {
    const world = answered({ sideEffect });
    world.restart();
    expect(callOf(world)).toMatchObject({ status });
    expect(callOf(world)?.error?.code).toBe(code);
    if (status === "running") expect(continuationOf(only(world).call)?.answers).toEqual(ANSWERS);
  });

  it("are not repeated after a timeout if that could write twice", () => {
    const world = answered({ sideEffect: "non_idempotent_write", retries: 3 });
    world.finish(only(world), { failure: TIMED_OUT });
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "TIMEOUT", outcome: "unknown" } });
  });

  it("survive a crash while the question is open, and one after the answer", () => {
    const world = begin({ sideEffect: "destructive" });
    ask(world);
    world.restart();
    expect(callOf(world)).toMatchObject({ status: "waiting_input" });
    world.order(input(1));
    world.restart();
    expect(continuationOf(only(world).call)?.answers).toEqual(ANSWERS);
    expect(world.types.filter((type) => type === "attempt.started")).toHaveLength(2);
  });
});
