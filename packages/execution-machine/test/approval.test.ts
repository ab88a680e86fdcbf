import { describe, expect, it } from "vitest";
import { wakeAt } from "../src/effects.ts";
import type { ExecutionConfig } from "../src/execution-config.ts";
import type { Admission, Command } from "../src/inputs.ts";
import { remainingWallMs, spentMs } from "../src/state.ts";
import { ADMITTED, limitsWith, MachineWorld, NETWORK_DOWN, planWith } from "./support/machine-world.ts";

const EXPIRY_MS = 60_000;

const asking = (approvalId: string): Admission => ({
  ...ADMITTED,
  sideEffect: "destructive",
  approval: { approvalId, requestHash: `sha256:${approvalId}` },
});

const BY = { keyId: "key_1", isSelfApproval: false };
const approve = (approvalId: string): Command => ({ type: "approve", approvalId, by: BY });
const deny = (approvalId: string, reason?: string): Command => ({
  type: "deny",
  approvalId,
  by: BY,
  ...(reason === undefined ? {} : { reason }),
});

/** An execution whose first turn calls a tool that asks, and others. */
function ask(others: readonly { name: string; admission?: Admission }[] = [], change: Partial<ExecutionConfig> = {}) {
  const tools = {
    risky: { sideEffect: "destructive" as const, retries: 1 },
    plain: {},
    sum: { executor: "inline" as const },
  };
  const world = new MachineWorld(planWith(tools, { approvalExpiryMs: EXPIRY_MS, ...change })).start();
  world.model("", [{ name: "risky", admission: asking("apr_a") }, ...others]);
  return world;
}

const callsOf = (world: MachineWorld) => world.state.turns[0]?.calls ?? [];
const tick = (world: MachineWorld) => world.feed({ type: "tick" });
function only(world: MachineWorld) {
  const [effect, ...others] = world.effects;
  if (effect === undefined || others.length > 0) throw new Error(`expected one effect, got ${world.effects.length}`);
  return effect;
}

describe("a call that needs an approval", () => {
  it("waits, and its execution with it, until the approval expires", () => {
    const world = ask();
    expect(world.effects).toEqual([]);
    expect(callsOf(world)).toMatchObject([
      { status: "waiting_approval", approval: { id: "apr_a", status: "pending" } },
    ]);
    const expiresAt = world.now + EXPIRY_MS;
    expect(world.state.status).toBe("waiting");
    expect(world.events.at(-1)).toMatchObject({ reason: "approval", until: new Date(expiresAt).toISOString() });
    expect(wakeAt(world.state, world.config, world.now)).toBe(expiresAt);
  });

  it("runs once it is approved, and is retried under the same approval", () => {
    const world = ask();
    world.order(approve("apr_a"));
    tick(world);
    expect(only(world)).toMatchObject({
      type: "attempt",
      number: 1,
      call: { approval: { requestHash: "sha256:apr_a" } },
    });
    world.finish(only(world), { failure: NETWORK_DOWN });
    world.wake();
    expect(only(world)).toMatchObject({ type: "attempt", number: 2 });
    expect(world.types.filter((type) => type === "approval.requested")).toHaveLength(1);
  });

  it("uses none of the execution's time, however long it waits", () => {
    const world = ask([], { limits: limitsWith({ maxWallTimeMs: 1_000 }) });
    world.now += EXPIRY_MS - 1;
    expect(spentMs(world.state, world.now)).toBe(0);
    world.order(approve("apr_a"));
    tick(world);
    expect(world.state.status).toBe("running");
    expect(remainingWallMs(world.state, world.now)).toBe(1_000);
  });

  it.each<[string, number, string]>([
    ["in the last millisecond", EXPIRY_MS - 1, "approved"],
    ["when its time is over", EXPIRY_MS, "pending"],
  ])("accepts a decision %s or not", (_when, afterMs, status) => {
    const world = ask();
    world.now += afterMs;
    world.order(approve("apr_a"));
    expect(callsOf(world)[0]?.approval?.status).toBe(status);
  });

  it("ends when it is not decided in time, and the model reads that", () => {
    const world = ask();
    expect(world.wake().map(({ type }) => type)).toEqual(["approval.resolved", "tool_call.denied", "model.requested"]);
    expect(callsOf(world)).toMatchObject([
      { status: "denied", error: { code: "APPROVAL_EXPIRED", outcome: "none" }, approval: { status: "expired" } },
    ]);
  });

  it.each<[string | undefined, string]>([
    ["it has left already", "a person denied this call: it has left already"],
    [undefined, "a person denied this call"],
    ["", "a person denied this call"],
  ])("ends when it is denied because of %j", (reason, message) => {
    const world = ask();
    world.order(deny("apr_a", reason));
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "denied", error: { code: "APPROVAL_DENIED", message } }]);
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it.each<[string, Command, Command]>([
    ["an approval, a denial", approve("apr_a"), deny("apr_a")],
    ["a denial, an approval", deny("apr_a"), approve("apr_a")],
    ["two approvals", approve("apr_a"), approve("apr_a")],
  ])("accepts the first of two decisions, whether or not its owner has acted: %s", (_what, first, second) => {
    for (const isActedOn of [false, true]) {
      const world = ask();
      expect(world.order(first)).toHaveLength(1);
      if (isActedOn) tick(world);
      expect(world.order(second)).toEqual([]);
    }
  });

  it.each<[string, Command]>([
    ["of another approval", approve("apr_z")],
    ["to a tool call's id", approve("tc_1")],
  ])("accepts no decision %s", (_what, command) => {
    expect(ask().order(command)).toEqual([]);
  });

  it("accepts no decision once the execution is cancelled, and is cancelled too", () => {
    const world = ask();
    world.order({ type: "cancel" });
    expect(world.order(approve("apr_a"))).toEqual([]);
    expect(tick(world).map(({ type }) => type)).toEqual([
      "approval.resolved",
      "tool_call.failed",
      "execution.cancelled",
    ]);
    expect(callsOf(world)).toMatchObject([{ status: "cancelled", approval: { status: "cancelled" } }]);
  });

  it("keeps a decision that was made right before the cancellation", () => {
    const world = ask();
    world.order(deny("apr_a", "no"));
    world.order({ type: "cancel" });
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "denied", error: { code: "APPROVAL_DENIED" } }]);
    expect(world.state.status).toBe("cancelled");
  });

  it("is not sent when the execution was cancelled after it was approved", () => {
    const world = ask();
    world.order(approve("apr_a"));
    world.order({ type: "cancel" });
    tick(world);
    expect(callsOf(world)).toMatchObject([{ status: "cancelled", attempts: [], approval: { status: "approved" } }]);
  });

  it("needs no approval when it exceeds the limit of its turn", () => {
    const world = ask([{ name: "risky", admission: asking("apr_b") }], {
      limits: limitsWith({ maxToolCallsPerTurn: 1 }),
    });
    expect(callsOf(world).map(({ status }) => status)).toEqual(["waiting_approval", "failed"]);
    expect(world.types.filter((type) => type === "approval.requested")).toHaveLength(1);
  });

  it("runs inside the gateway too, once it is approved", () => {
    const world = new MachineWorld(planWith({ sum: { executor: "inline" } })).start();
    world.model("", [{ name: "sum", admission: asking("apr_a") }]);
    expect(world.effects).toEqual([]);
    expect(world.state.status).toBe("waiting");
    world.order(approve("apr_a"));
    tick(world);
    world.finish(only(world), { result: 48 });
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it("does not run for ever inside a gateway that it crashes", () => {
    const world = new MachineWorld(planWith({ sum: { executor: "inline" } })).start();
    world.model("", [{ name: "sum", admission: asking("apr_a") }]);
    world.order(approve("apr_a"));
    for (let restarts = 0; restarts < 4; restarts += 1) world.restart();
    expect(callsOf(world)).toMatchObject([{ status: "failed", error: { code: "INTERNAL" } }]);
  });
});

describe("calls of one model turn", () => {
  it("run while others wait, and the next model turn starts when all have ended", () => {
    const world = ask([{ name: "plain" }, { name: "risky", admission: asking("apr_b") }]);
    expect(world.state.status).toBe("running");
    world.finish(only(world), { result: 1 });
    expect(world.state.status).toBe("waiting");
    world.order(approve("apr_b"));
    tick(world);
    world.finish(only(world), { result: 2 });
    expect(world.state.status).toBe("waiting");
    expect(wakeAt(world.state, world.config, world.now)).toBe(Date.parse("2026-11-21T06:01:00.000Z"));
    world.order(deny("apr_a"));
    tick(world);
    expect(callsOf(world).map(({ status }) => status)).toEqual(["denied", "completed", "completed"]);
    expect(only(world)).toMatchObject({ type: "model", turn: 2 });
  });

  it("wait while their owner is away: no decision is lost, and no approval is requested twice", () => {
    const world = ask([{ name: "risky", admission: asking("apr_b") }]);
    world.order(approve("apr_a"));
    world.now += 10_000;
    world.restart();
    expect(only(world)).toMatchObject({ type: "attempt", number: 1 });
    expect(world.types.filter((type) => type === "approval.requested")).toHaveLength(2);
    expect(spentMs(world.state, world.now)).toBe(0);
  });

  it("are distinguished from those whose arguments an approver changed", () => {
    const world = ask([{ name: "plain" }]);
    const edit = { parameters: { amount: 12 }, requestHash: "sha256:edited" };
    world.order({ type: "approve", approvalId: "apr_a", by: BY, edit });
    tick(world);
    for (const effect of world.effects) world.finish(effect, { result: "ok" });
    expect(callsOf(world)[0]).toMatchObject({
      parameters: { amount: 12 },
      approval: { requestedParameters: {}, requestHash: "sha256:edited", resolution: { parameters: { amount: 12 } } },
    });
  });
});
