import type { InputQuestion } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { CreatedTask, Failure, TaskOutcome } from "../src/call-outcome.ts";
import { suspendUntil, wakeAt } from "../src/effects.ts";
import type { ExecutionConfig } from "../src/execution-config.ts";
import { spentMs } from "../src/state.ts";
import { limitsWith, MachineWorld, planWith } from "./support/machine-world.ts";

const EXPIRY_MS = 60_000;
const QUESTION: InputQuestion = { key: "colour", mode: "form", message: "Which?", schema: { type: "object" } };
const LOST: Failure = {
  code: "HANDLER_ERROR",
  message: "the MCP server cancelled the task of the call",
  source: "gateway",
  isRetryable: false,
  outcome: "unknown",
};
const ANSWERS = { colour: { action: "decline" } } as const;

/** An execution whose one call has become a task. */
function begin(change: Partial<ExecutionConfig> = {}, times: Partial<CreatedTask> = {}) {
  const config = planWith(
    { work: { retries: 3 } },
    { callbackExpiryMs: EXPIRY_MS, approvalExpiryMs: 10_000, ...change },
  );
  const world = new MachineWorld(config);
  world.start().model("", [{ name: "work" }]);
  const [attempt] = world.effects;
  if (attempt?.type !== "attempt") throw new Error("expected an attempt");
  world.finish(attempt, { task: { id: "t1", ttlMs: null, pollIntervalMs: 2_000, ...times } });
  return world;
}

const callOf = (world: MachineWorld) => world.state.turns[0]?.calls[0];
const stepsOf = (world: MachineWorld) => world.effects.map((effect) => "step" in effect && effect.step);
const report = (world: MachineWorld, outcome: TaskOutcome) =>
  world.feed({ type: "task_reported", toolCallId: callOf(world)?.id ?? "", outcome });

describe("a call that a server continues as a task", () => {
  it("waits without using time, at most until the expiry of callbacks, and asks after the interval", () => {
    const world = begin({ limits: limitsWith({ maxWallTimeMs: 5_000 }) });
    const until = world.now + EXPIRY_MS;
    expect(world.events.at(-1)).toMatchObject({ reason: "task", until: new Date(until).toISOString() });
    expect(world.effects).toMatchObject([{ type: "task", step: "poll", notBefore: world.now + 2_000 }]);
    expect(wakeAt(world.state, world.config, world.now)).toBeUndefined();
    expect(suspendUntil(world.state, world.config, world.now, world.now + 2_000)).toBeUndefined();
    expect(suspendUntil(world.state, world.config, world.now, world.now + 9_000)).toBe(world.now + 9_000);
    world.now += 50_000;
    expect(spentMs(world.state, world.now)).toBe(0);
  });

  it.each<[string, Partial<CreatedTask>, number]>([
    ["the gateway waits for the task", {}, EXPIRY_MS],
    ["the server keeps the task", { ttlMs: 3_000 }, 3_000],
  ])("is asked about at the latest at the end of the time that %s", (_what, times, delayMs) => {
    const world = begin({}, { pollIntervalMs: 3_600_000, ...times });
    expect(world.effects).toMatchObject([{ type: "task", step: "poll", notBefore: world.now + delayMs }]);
  });

  it("goes on with the journaled task after a restart, and is not sent again", () => {
    const world = begin();
    const before = world.events.length;
    world.feed({ type: "recovered" });
    expect(world.events).toHaveLength(before);
    expect(world.effects).toMatchObject([{ type: "task", step: "poll", task: { id: "t1" } }]);
    report(world, { result: "worked" });
    expect(callOf(world)).toMatchObject({ status: "completed", result: "worked", attempts: [{ number: 1 }] });
  });

  it("sends the answers of a person once, also after a restart", () => {
    const world = begin();
    report(world, { questions: [QUESTION] });
    world.order({ type: "input", toolCallId: callOf(world)?.id ?? "", round: 1, answers: ANSWERS, keyId: null });
    world.feed({ type: "tick" });
    expect(stepsOf(world)).toEqual(["deliver"]);
    world.feed({ type: "recovered" });
    expect(stepsOf(world)).toEqual(["deliver"]);
    report(world, { deliveredRound: 1 });
    expect(stepsOf(world)).toEqual(["poll"]);
    expect(report(world, { questions: [QUESTION] })).toEqual([]);
  });

  it("is cancelled at the server before the call ends", () => {
    const world = begin();
    world.order({ type: "cancel" });
    world.feed({ type: "tick" });
    expect(world.state.finishedAt).toBeNull();
    expect(stepsOf(world)).toEqual(["cancel"]);
    world.feed({ type: "recovered" });
    expect(stepsOf(world)).toEqual(["cancel"]);
    report(world, { isCancelled: true });
    expect(callOf(world)).toMatchObject({ status: "cancelled", error: { code: "CANCELLED", outcome: "unknown" } });
    expect(world.state.status).toBe("cancelled");
  });

  it("is cancelled at the server if a question expires", () => {
    const world = begin();
    report(world, { questions: [QUESTION] });
    world.now += 10_000;
    world.feed({ type: "tick" });
    expect(stepsOf(world)).toEqual(["cancel"]);
    report(world, { isCancelled: true });
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "INPUT_EXPIRED", outcome: "unknown" } });
  });

  it.each<[string, TaskOutcome, object]>([
    ["completes", { result: "worked" }, { status: "completed", result: "worked" }],
    ["is cancelled by its server", { failure: LOST }, { status: "failed", error: { code: "HANDLER_ERROR" } }],
  ])("withdraws a question if the task %s before a person answers", (_what, outcome, end) => {
    const world = begin({ approvalExpiryMs: 10 * EXPIRY_MS, callbackExpiryMs: 10 * EXPIRY_MS });
    report(world, { questions: [QUESTION] });
    expect(world.effects).toMatchObject([{ type: "task", step: "poll", notBefore: world.now + 60_000 }]);
    // A second question waits for the answers to the first one.
    expect(report(world, { questions: [{ ...QUESTION, key: "size" }] })).toEqual([]);
    expect(report(world, outcome)[0]).toMatchObject({ type: "input.withdrawn", round: 1, status: "cancelled" });
    expect(callOf(world)).toMatchObject({ ...end, input: { status: "cancelled" } });
    const { length } = world.events;
    world.order({ type: "input", toolCallId: callOf(world)?.id ?? "", round: 1, answers: ANSWERS, keyId: null });
    expect(world.events.slice(length).map(({ type }) => type)).not.toContain("input.received");
  });

  it("asks no question past the end of the task", () => {
    const world = begin({ approvalExpiryMs: 10 * EXPIRY_MS });
    const until = world.now + EXPIRY_MS;
    world.now += 1_000;
    report(world, { questions: [QUESTION] });
    expect(callOf(world)?.input?.expiresAt).toBe(until);
  });

  it("is recorded and cancelled if the execution was cancelled while it was created", () => {
    const world = new MachineWorld(planWith({ work: { sideEffect: "non_idempotent_write" } }));
    world.start().model("", [{ name: "work" }]);
    const [attempt] = world.effects;
    if (attempt?.type !== "attempt") throw new Error("expected an attempt");
    world.order({ type: "cancel" });
    world.feed({ type: "tick" });
    world.finish(attempt, { task: { id: "t1", ttlMs: null, pollIntervalMs: 2_000 } });
    expect(world.effects).toMatchObject([{ type: "task", step: "cancel", task: { id: "t1" } }]);
  });
});
