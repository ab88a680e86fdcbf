import { describe, expect, it } from "vitest";
import type { ToolTraits } from "../src/execution-config.ts";
import type { MachineInput } from "../src/inputs.ts";
import { resumptionOf } from "../src/resumption.ts";
import { limitsWith, MachineWorld, NETWORK_DOWN, planWith } from "./support/machine-world.ts";

const RESUMPTION = { sessionId: "session", protocolVersion: "2025-11-25", eventId: "1" };
const WRITE: Partial<ToolTraits> = { sideEffect: "non_idempotent_write", retries: 2 };
const READ: Partial<ToolTraits> = { sideEffect: "read_only" };

function only(world: MachineWorld) {
  const [effect, ...others] = world.effects;
  if (effect?.type !== "attempt" || others.length > 0) throw new Error("expected one attempt");
  return effect;
}

/** An attempt that sent nothing, which may be retried as such. */
const NOT_READ = {
  type: "attempt_finished",
  toolCallId: "tc_1",
  outcome: { failure: NETWORK_DOWN },
  durationMs: 5,
  timings: { dns: null, connect: null, tls: null, firstByte: null },
  requestBytes: 0,
  responseBytes: 0,
  cost: { usd: 0, credits: 0 },
} as const;

const callOf = (world: MachineWorld) => world.state.turns[0]?.calls[0];

const resumable = (world: MachineWorld, eventId = "1"): MachineInput => ({
  ...{ type: "attempt_resumable", toolCallId: "tc_1", attemptId: only(world).key },
  resumption: { ...RESUMPTION, eventId },
});

/** A call that was running, and whose response could be resumed, when the gateway stopped. */
function interrupted(tool: Partial<ToolTraits>): MachineWorld {
  const world = new MachineWorld(planWith({ work: tool }));
  world.start().model("", [{ name: "work" }]);
  world.feed(resumable(world));
  world.feed({ type: "recovered" });
  return world;
}

describe("a call that can be resumed", () => {
  it("reads its response in a further attempt after a restart, whatever its side effect", () => {
    const world = interrupted(WRITE);
    const marks = world.events.filter(({ type }) => type === "attempt.resumable");
    expect(marks).toMatchObject([{ number: 1, resumption: RESUMPTION }]);
    const effect = only(world);
    expect(effect).toMatchObject({ number: 2, isTooLateToSend: false });
    expect(resumptionOf(effect.call)).toEqual(RESUMPTION);
    expect(world.events.at(-1)).toMatchObject({ type: "attempt.started", method: "GET", isResumption: true });
    world.finish(effect, { result: "done" });
    expect(callOf(world)).toMatchObject({ status: "completed", result: "done" });
  });

  it("is sent again if its response is lost and repeats are safe, without using up a retry", () => {
    const world = interrupted(READ);
    world.finish(only(world), { resumptionLost: true });
    const effect = only(world);
    expect(effect.number).toBe(3);
    expect(resumptionOf(effect.call)).toBeUndefined();
    world.finish(effect, { result: "done" });
    expect(callOf(world)).toMatchObject({ status: "completed" });
  });

  it("ends with an unknown outcome if its response is lost and repeats are not safe", () => {
    const world = interrupted(WRITE);
    world.finish(only(world), { resumptionLost: true });
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } });
  });

  it.each([
    ["no connection was possible", {}],
    ["the server rejected the request", { httpStatus: 429 }],
  ])("is not sent again if %s for its response and repeats are not safe", (_why, answered) => {
    const world = interrupted(WRITE);
    const { key: attemptId } = only(world);
    world.feed({ ...NOT_READ, attemptId, ...answered });
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } });
    expect(world.effects.filter(({ type }) => type === "attempt")).toEqual([]);
  });

  it("is resumed from where a process has read it, at most three times", () => {
    const world = new MachineWorld(planWith({ work: WRITE }));
    world.start().model("", [{ name: "work" }]);
    world.feed(resumable(world));
    expect(world.feed(resumable(world))).toEqual([]);
    world.feed(resumable(world, "2"));
    for (let time = 0; time < 3; time += 1) {
      world.feed({ type: "recovered" });
      expect(resumptionOf(only(world).call)).toEqual({ ...RESUMPTION, eventId: "2" });
    }
    world.feed({ type: "recovered" });
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "OUTCOME_UNKNOWN" } });
  });

  it("is not resumed if the execution was cancelled, or has no time left", () => {
    const cancelled = new MachineWorld(planWith({ work: WRITE }));
    cancelled.start().model("", [{ name: "work" }]);
    cancelled.feed(resumable(cancelled));
    cancelled.order({ type: "cancel" });
    cancelled.feed({ type: "recovered" });
    expect(callOf(cancelled)).toMatchObject({ status: "failed", error: { code: "OUTCOME_UNKNOWN" } });

    const late = new MachineWorld(planWith({ work: WRITE }, { limits: limitsWith({ maxWallTimeMs: 1_000 }) }));
    late.start().model("", [{ name: "work" }]);
    late.now += 1_000;
    late.feed(resumable(late), { type: "recovered" });
    expect(callOf(late)).toMatchObject({ status: "failed", error: { code: "OUTCOME_UNKNOWN" } });
  });

  it("is not resumed after an attempt that ended", () => {
    const world = new MachineWorld(planWith({ work: { ...READ, retries: 1 } }));
    world.start().model("", [{ name: "work" }]);
    const stale = resumable(world);
    world.feed(stale);
    world.finish(only(world), { result: "done" });
    expect(world.feed(stale)).toEqual([]);
    expect(callOf(world)?.resumption).toBeNull();
  });
});
