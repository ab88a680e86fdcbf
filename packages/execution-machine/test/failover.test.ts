import type { SideEffect } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { CallAnswer, Failure } from "../src/call-outcome.ts";
import { callbackTimesOf } from "../src/callback.ts";
import { toolKey } from "../src/execution-config.ts";
import { ADMITTED, MachineWorld, NETWORK_DOWN, planWith, TIMED_OUT } from "./support/machine-world.ts";

const A = { key: "shop.a", version: "1" };
const B = { key: "shop.b", version: "1" };
const ANSWERED: Failure = { ...NETWORK_DOWN, code: "HANDLER_ERROR", message: "the tool failed", isRetryable: false };
const OWN_TIMEOUT: Failure = { ...ANSWERED, code: "TIMEOUT", message: "the bank is slow", source: "handler" };

/** An execution whose call of an intent is served by A, and then by B. */
function begin(sideEffect: SideEffect | null, traits: { isAsync?: boolean; retries?: number } = {}) {
  const tools = [A, B].map(
    (capability) => [toolKey({ name: "order", capability }), { sideEffect, ...traits }] as const,
  );
  const policyDecision = { decision: "allowed" as const, reason: "test" };
  const plan = planWith(Object.fromEntries(tools), {
    nextCapability: (_state, { capability }) =>
      capability?.key === A.key ? { to: B, kind: "handler", sideEffect, risk: null, policyDecision } : undefined,
  });
  const world = new MachineWorld(plan).start();
  world.model("", [{ name: "order", capability: A, admission: { ...ADMITTED, sideEffect } }]);
  return world;
}

/** Ends the running attempt. */
function end(world: MachineWorld, outcome: CallAnswer, httpStatus?: number): void {
  const [effect] = world.effects;
  if (effect?.type !== "attempt") throw new Error("expected a running attempt");
  world.finish(effect, outcome, 0, httpStatus);
}

const callOf = (world: MachineWorld) => world.state.turns[0]?.calls[0];
const hasMoved = (world: MachineWorld) => world.types.includes("route.changed");

const WRITES = ["non_idempotent_write", "idempotent_write", "destructive", null] as const;

describe.each(WRITES)("a call with the side effect %s", (sideEffect) => {
  it.each<[string, Failure, number | undefined]>([
    ["answered 500", ANSWERED, 500],
    ["answered 504", { ...ANSWERED, isRetryable: true }, 504],
    ["answered 429", { ...ANSWERED, code: "RATE_LIMITED" }, 429],
    ["reported an error with a code of the gateway", OWN_TIMEOUT, 200],
    ["did not answer in time", TIMED_OUT, undefined],
  ])("stays with a capability that %s", (_what, failure, httpStatus) => {
    const world = begin(sideEffect);
    end(world, { failure }, httpStatus);
    expect(hasMoved(world)).toBe(false);
    expect(callOf(world)).toMatchObject({ status: "failed", capability: A, error: { code: failure.code } });
  });

  it("stays with a capability that answered the attempt before the last", () => {
    const world = begin(sideEffect, { retries: 1 });
    end(world, { failure: { ...ANSWERED, isRetryable: true } }, 503);
    world.wake();
    end(world, { failure: NETWORK_DOWN });
    expect(hasMoved(world)).toBe(false);
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "NETWORK_ERROR", attempts: 2 } });
  });

  it("stays with a capability whose callback reported an error", () => {
    const world = begin(sideEffect, { isAsync: true });
    end(world, { pending: true }, 202);
    const toolCallId = callOf(world)?.id ?? "";
    const error = { code: "UNAVAILABLE", message: "no stock system" };
    world.order({ type: "callback", toolCallId, bodyHash: "sha256:1", outcome: { error } });
    world.feed({ type: "tick" });
    expect(hasMoved(world)).toBe(false);
    expect(callOf(world)).toMatchObject({ status: "failed", error: { code: "UNAVAILABLE", source: "handler" } });
  });

  it("moves if the capability could not be reached", () => {
    const world = begin(sideEffect);
    end(world, { failure: NETWORK_DOWN });
    expect(callOf(world)).toMatchObject({ status: "running", capability: B, triedCapabilities: [A.key] });
    end(world, { result: "sold" }, 200);
    expect(callOf(world)).toMatchObject({ status: "completed", result: "sold" });
  });
});

it.each<[string, Failure, number | undefined]>([
  ["answered 500", ANSWERED, 500],
  ["reported an error with a code of the gateway", OWN_TIMEOUT, 200],
  ["did not answer in time", TIMED_OUT, undefined],
])("a call that only reads moves from a capability that %s", (_what, failure, httpStatus) => {
  const world = begin("read_only");
  end(world, { failure }, httpStatus);
  expect(callOf(world)).toMatchObject({ status: "running", capability: B });
});

describe("a call that moved from one asynchronous capability to another", () => {
  function moved() {
    const world = begin("read_only", { isAsync: true });
    end(world, { failure: ANSWERED }, 503);
    world.now += 1_000;
    end(world, { pending: true }, 202);
    return world;
  }
  const deliver = (world: MachineWorld, result: string, moves: number) =>
    world.order({
      ...{ type: "callback", toolCallId: callOf(world)?.id ?? "", moves },
      ...{ bodyHash: `sha256:${result}`, outcome: { result } },
    });

  it("takes the callback of the second only", () => {
    const world = moved();
    expect(deliver(world, "of A", 0)).toEqual([]);
    expect(deliver(world, "of C", 2)).toEqual([]);
    expect(deliver(world, "of B", 1)).toMatchObject([{ type: "callback.received", result: "of B" }]);
    world.feed({ type: "tick" });
    expect(callOf(world)).toMatchObject({ status: "completed", result: "of B", capability: B });
  });

  it("announces it with the times of the second", () => {
    const call = callOf(moved());
    const startedAt = call?.attempts[1]?.startedAt ?? "";
    expect(call && callbackTimesOf(call)).toEqual({
      ...{ issuedAt: Date.parse(startedAt), expiresAt: call?.callbackUntil, moves: 1 },
    });
  });
});
