import { YagateError } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { type HandlerServer, send, startHandler, startReplier } from "../../../webhooks/test/support/handler-server.ts";
import { LEASE_MS } from "../../src/scheduler/lease.ts";
import { CALL_THEN_ANSWER, openRunWorld, type RunWorld, toolAt } from "./run-world.ts";

const nothing = () => {};

interface FrozenRun {
  readonly world: RunWorld;
  readonly handler: HandlerServer;
  readonly executionId: string;
  readonly done: Promise<void>;
  /** Resolves when the run asks for its lease again; nothing is renewed before the test says so. */
  readonly asksForLease: Promise<void>;
  readonly answerRenewal: (error?: YagateError) => void;
}

/** A process that is frozen past its lease between the commit of an attempt's intent and its first byte. */
async function freezeBeforeSending(): Promise<FrozenRun> {
  const world = await openRunWorld();
  const handler = await startReplier({ body: { result: "sent" } });
  const tool = toolAt(handler.url, { sideEffect: "non_idempotent_write" });
  const execution = await world.create([tool], CALL_THEN_ANSWER);
  const asked = Promise.withResolvers<void>();
  const renewal = Promise.withResolvers<void>();
  world.interference.append = async (append, next) => {
    const outcome = await next(append);
    if (append.entries.some(({ event }) => event.type === "attempt.started")) {
      world.freeze(LEASE_MS);
      world.interference.renew = () => {
        delete world.interference.renew;
        asked.resolve();
        return renewal.promise;
      };
    }
    return outcome;
  };
  const { done } = world.start(execution, false, nothing);
  const answerRenewal = (error?: YagateError) => (error === undefined ? renewal.resolve() : renewal.reject(error));
  return { world, handler, executionId: execution.id, done, asksForLease: asked.promise, answerRenewal };
}

describe("a lease that lapsed right before a call is sent", () => {
  it("holds the call back until it is renewed, and then sends it once, as the same attempt", async () => {
    const { world, handler, executionId, done, asksForLease, answerRenewal } = await freezeBeforeSending();
    await asksForLease;
    expect(handler.calls).toEqual([]);
    answerRenewal();
    await done;
    expect(handler.calls.map(({ body }) => JSON.parse(body.toString()).attempt)).toEqual([1]);
    expect((await world.types(executionId)).filter((type) => type === "attempt.started")).toHaveLength(1);
    expect((await world.types(executionId)).at(-1)).toBe("execution.completed");
  });

  it("sends nothing if another owner has taken over by then", async () => {
    const { world, handler, executionId, done, asksForLease, answerRenewal } = await freezeBeforeSending();
    await asksForLease;
    await world.claim("another process");
    const before = await world.types(executionId);
    answerRenewal();
    await done;
    expect(handler.calls).toEqual([]);
    expect(await world.types(executionId)).toEqual(before);
  });

  it("sends nothing if another owner has taken over although the lease is held again", async () => {
    const world = await openRunWorld();
    const handler = await startReplier({ body: { result: "sent" } });
    const execution = await world.create([toolAt(handler.url)], CALL_THEN_ANSWER);
    world.interference.append = async (append, next) => {
      const outcome = await next(append);
      if (append.entries.some(({ event }) => event.type === "attempt.started")) {
        world.freeze(LEASE_MS);
        await world.claim("another process");
        await world.lease.held();
      }
      return outcome;
    };
    await world.start(execution, false, nothing).done;
    expect(handler.calls).toEqual([]);
    expect((await world.types(execution.id)).at(-1)).toBe("attempt.started");
    expect(world.errors).toEqual([]);
  });

  it("retries the renewal with pauses while the store is unavailable", async () => {
    const { world, handler, done, asksForLease, answerRenewal } = await freezeBeforeSending();
    await asksForLease;
    let renewals = 0;
    world.interference.renew = () => {
      renewals += 1;
    };
    answerRenewal(new YagateError("UNAVAILABLE", "the store could not be read or written"));
    await done;
    expect(renewals).toBe(1);
    expect(handler.calls).toHaveLength(1);
    expect(world.errors).toEqual([expect.objectContaining({ code: "UNAVAILABLE" })]);
  });
});

describe("an execution that another owner took over", () => {
  it("is left alone from the next append on", async () => {
    const world = await openRunWorld();
    const handler = await startHandler(async (response) => {
      await world.claim("another process");
      send(response, { body: { result: "too late" } });
    });
    const execution = await world.create([toolAt(handler.url)], CALL_THEN_ANSWER);
    const outcomes: string[] = [];
    world.interference.append = async (append, next) => {
      const outcome = await next(append);
      outcomes.push(outcome);
      return outcome;
    };
    await world.start(execution, false, nothing).done;
    expect(outcomes).toEqual(["appended", "taken_over"]);
    expect((await world.types(execution.id)).at(-1)).toBe("attempt.started");
    expect(handler.calls).toHaveLength(1);
    expect(world.errors).toEqual([]);
  });
});
