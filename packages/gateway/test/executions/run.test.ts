import type { ServerResponse } from "node:http";
import { newId } from "@yagate/lib/ids/ids";
import { YagateError } from "@yagate/protocol";
import { appendTo } from "@yagate/store/events/event-store";
import type { Append, AppendOutcome } from "@yagate/store/port";
import { describe, expect, it } from "vitest";
import { appendOf, executionOf } from "../../../store/test/support/fixtures.ts";
import { send, startHandler, startReplier } from "../../../webhooks/test/support/handler-server.ts";
import { CALL_THEN_ANSWER, openRunWorld, type RunWorld, toolAt } from "./run-world.ts";

const nothing = () => {};
const refusal = () => new YagateError("UNAVAILABLE", "the store could not be read or written: the disk is full");

/** Writes until the store has no page left; what it wrote expires at once. */
async function fillDisk({ eventStore }: RunWorld): Promise<void> {
  const { execution } = await eventStore.create(executionOf("ws_filler"));
  const response = { headers: {}, body: "x".repeat(20_000), bodyBytes: 20_000, isTruncated: false };
  for (let seq = 0; ; seq += 1) {
    const exchanges = [{ attemptId: newId("attempt"), request: null, response }];
    try {
      await appendTo(eventStore, appendOf(execution.id, seq, { exchanges }));
    } catch (error) {
      expect(error).toMatchObject({ code: "UNAVAILABLE" });
      return;
    }
  }
}

/** Frees space: recorded requests and responses are deleted first. */
async function freeDisk({ eventStore }: RunWorld): Promise<void> {
  expect(await eventStore.deleteExpired(Number.MAX_SAFE_INTEGER, 1_000)).toBeGreaterThan(0);
}

describe("a run", () => {
  it("makes three commits in sequence for two turns of a fast model and a call", async () => {
    const world = await openRunWorld();
    const handler = await startReplier({ body: { result: "shipped" } });
    const execution = await world.create([toolAt(handler.url)], CALL_THEN_ANSWER);
    const commits: (readonly string[])[] = [];
    let isWriting = false;
    world.interference.append = async (append, next) => {
      expect(isWriting).toBe(false);
      isWriting = true;
      const outcome = await next(append);
      isWriting = false;
      commits.push(append.entries.map(({ event }) => event.type));
      return outcome;
    };
    await world.start(execution, false, nothing).done;
    // The first commit made the execution.
    expect(commits).toEqual([
      ["execution.started", "model.requested", "model.responded", "tool_call.requested", "attempt.started"],
      ["attempt.finished", "tool_call.completed", "model.requested", "model.responded", "execution.completed"],
    ]);
    expect(world.errors).toEqual([]);
  });

  it("sends nothing before the attempt is durable", async () => {
    const world = await openRunWorld();
    const handler = await startReplier({ body: { result: 1 } });
    const execution = await world.create([toolAt(handler.url)], CALL_THEN_ANSWER);
    const sentBeforeCommit: number[] = [];
    world.interference.append = async (append, next) => {
      const outcome = await next(append);
      // A turn of the event loop in which an early request would have arrived.
      await fetch(handler.url.replace("lookup_order", "warm-up"), { method: "POST", body: "{}" });
      sentBeforeCommit.push(handler.calls.filter(({ path }) => !path.endsWith("warm-up")).length);
      return outcome;
    };
    await world.start(execution, false, nothing).done;
    expect(sentBeforeCommit).toEqual([0, 1]);
  });

  it("sends each call once when one ends while the result of another is written", async () => {
    const world = await openRunWorld();
    const later = Promise.withResolvers<ServerResponse>();
    const handler = await startHandler((response, { body }) => {
      if (body.includes("warm-up") || !body.includes('"second"')) return send(response, { body: { result: 1 } });
      later.resolve(response);
    });
    const call = (order: string) => ({ name: "act", parameters: { order } });
    const tool = toolAt(handler.url, { sideEffect: "non_idempotent_write", resourceKey: "$" + "{order}" });
    const execution = await world.create([tool], [{ toolCalls: [call("first"), call("second")] }, { text: "done" }]);
    world.interference.append = async (append, next) => {
      if (isAnswer(append)) {
        delete world.interference.append;
        send(await later.promise, { body: { result: 2 } });
        // Round trips that are answered after that answer was read.
        for (let trip = 0; trip < 5; trip += 1) await fetch(handler.url, { method: "POST", body: "warm-up" });
      }
      return next(append);
    };
    await world.start(execution, false, nothing).done;
    expect(handler.calls.filter(({ body }) => !body.includes("warm-up"))).toHaveLength(2);
    const results = (await world.events(execution.id)).filter(({ type }) => type === "tool_call.completed");
    expect(results).toMatchObject([{ result: 1 }, { result: 2 }]);
  });

  it("gives the model the fallback that arrived while the end of its hold was written", async () => {
    const world = await openRunWorld();
    const handler = await startReplier({ status: 400 });
    const fallback = { waitMs: 1 };
    const execution = await world.create([toolAt(handler.url)], CALL_THEN_ANSWER, { fallback });
    world.interference.append = async (append, next) => {
      const [end] = append.entries;
      if (end?.event.type === "tool_call.failed" && end.event.fallbackUntil === undefined) {
        delete world.interference.append;
        const { toolCallId } = end.event;
        const received = {
          type: "fallback.received",
          toolCallId,
          isDeclined: false,
          result: "x".repeat(4_000),
        } as const;
        const place = { seq: append.expectedSeq + 1, at: end.event.at, executionId: execution.id };
        const { epoch: _epoch, exchanges: _exchanges, ...command } = append;
        await appendTo(world.eventStore, { ...command, entries: [{ event: { ...received, ...place } }] });
      }
      return next(append);
    };
    await world.start(execution, false, nothing).done;
    const events = await world.events(execution.id);
    expect(events.filter(({ type }) => type === "tool_call.completed")).toMatchObject([{ via: "fallback" }]);
    const answer = events.findLast((event) => event.type === "model.responded");
    expect(answer?.usage.inputTokens).toBeGreaterThan(1_000);
    expect(world.errors).toEqual([]);
  });

  it("pauses while the disk is full, and continues when there is space again", async () => {
    const world = await openRunWorld({ maxBytes: 600_000 });
    const handler = await startReplier({ body: { result: "shipped" } });
    const execution = await world.create([toolAt(handler.url)], [{ ...CALL_THEN_ANSWER[0], text: "x".repeat(30_000) }]);
    await fillDisk(world);
    const refused = new Promise<void>((resolve) => {
      world.interference.append = async (append, next) => {
        try {
          return await next(append);
        } catch (error) {
          resolve();
          throw error;
        }
      };
    });
    const run = world.start(execution, false, nothing);
    await refused;
    expect(handler.calls).toEqual([]);
    expect(await world.types(execution.id)).not.toContain("model.responded");
    await freeDisk(world);
    await run.done;
    expect((await world.types(execution.id)).at(-1)).toBe("execution.completed");
    expect(handler.calls).toHaveLength(1);
    expect(world.errors).toEqual([expect.objectContaining({ code: "UNAVAILABLE" })]);
  });

  it("records a reply that arrived while the store was unavailable, without requesting it again", async () => {
    const world = await openRunWorld();
    const handler = await startReplier({ body: { result: "shipped" } });
    const execution = await world.create(
      [toolAt(handler.url, { sideEffect: "non_idempotent_write" })],
      CALL_THEN_ANSWER,
    );
    let refusals = 2;
    world.interference.append = (append, next) =>
      isAnswer(append) && refusals-- > 0 ? Promise.reject(refusal()) : next(append);
    await world.start(execution, false, nothing).done;
    const events = await world.events(execution.id);
    expect(events.filter(({ type }) => type === "tool_call.completed")).toMatchObject([{ result: "shipped" }]);
    expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
    expect(handler.calls).toHaveLength(1);
  });

  it("stops waiting for an unavailable store once it is dropped", async () => {
    const world = await openRunWorld();
    const execution = await world.create([], [{ text: "done" }]);
    const run = await new Promise<ReturnType<typeof world.start>>((resolve) => {
      world.interference.append = async (): Promise<AppendOutcome> => {
        queueMicrotask(() => resolve(started));
        throw refusal();
      };
      const started = world.start(execution, false, nothing);
    });
    run.abort();
    await run.done;
    expect(world.errors.at(-1)).toMatchObject({ code: "UNAVAILABLE" });
    expect(await world.types(execution.id)).toEqual([]);
  });

  it("folds a command that arrived at the same moment as a reply, and drops neither", async () => {
    const world = await openRunWorld();
    const handler = await startHandler((response) => send(response, { body: { result: "shipped" } }));
    const execution = await world.create([toolAt(handler.url)], CALL_THEN_ANSWER);
    const outcomes: AppendOutcome[] = [];
    world.interference.append = async (append, next) => {
      if (isAnswer(append) && outcomes.at(-1) !== "behind") {
        expect(await next(appendOf(execution.id, append.expectedSeq, { status: "running" }))).toBe("appended");
      }
      const outcome = await next(append);
      outcomes.push(outcome);
      return outcome;
    };
    await world.start(execution, false, nothing).done;
    expect(outcomes).toEqual(["appended", "behind", "appended"]);
    const events = await world.events(execution.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events.slice(-4)).toMatchObject([
      { type: "execution.cancel_requested" },
      { type: "attempt.finished", httpStatus: 200 },
      { type: "tool_call.completed", result: "shipped" },
      { type: "execution.cancelled" },
    ]);
  });
});

function isAnswer({ entries }: Append): boolean {
  return entries.some(({ event }) => event.type === "attempt.finished");
}
