import type { ServerResponse } from "node:http";
import { type HandlerToolDefinition, YagateError } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { type HandlerServer, send, startHandler } from "../../../webhooks/test/support/handler-server.ts";
import type { ScheduledRun } from "../../src/scheduler/port.ts";
import { CALL_THEN_ANSWER, openRunWorld, type RunWorld, toolAt } from "./run-world.ts";

const nothing = () => {};

/** A handler that leaves its first call open until the test answers it, and answers the others at once. */
async function startSlowHandler() {
  const arrival = Promise.withResolvers<ServerResponse>();
  const handler = await startHandler((response, { body }) => {
    if (JSON.parse(body.toString()).attempt > 1) return send(response, { body: { result: "again" } });
    arrival.resolve(response);
  });
  return { handler, arrival: arrival.promise };
}

interface Interrupted {
  readonly world: RunWorld;
  readonly handler: HandlerServer;
  readonly executionId: string;
  readonly run: ScheduledRun;
  readonly open: ServerResponse;
}

/** An execution whose call is at its handler. */
async function startCall(tool: Partial<HandlerToolDefinition>): Promise<Interrupted> {
  const world = await openRunWorld();
  const { handler, arrival } = await startSlowHandler();
  const execution = await world.create([toolAt(handler.url, tool)], CALL_THEN_ANSWER);
  const run = world.start(execution, false, nothing);
  return { world, handler, executionId: execution.id, run, open: await arrival };
}

async function dropRun({ run }: Interrupted): Promise<void> {
  run.abort();
  await run.done;
}

async function resume({ world }: Interrupted): Promise<void> {
  await world.start(await world.claim(), true, nothing).done;
}

describe("a run that continues after another", () => {
  it.each<[string, Partial<HandlerToolDefinition>]>([
    ["reads", { sideEffect: "read_only" }],
    ["writes idempotently", { sideEffect: "idempotent_write" }],
    ["declares nothing but retries", { retries: 1 }],
  ])("sends a call that was running again if its tool %s", async (_name, tool) => {
    const interrupted = await startCall(tool);
    await dropRun(interrupted);
    await resume(interrupted);
    const { world, executionId, handler } = interrupted;
    const bodies = handler.calls.map(({ body }) => JSON.parse(body.toString()));
    expect(bodies.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(bodies[1].toolCallId).toBe(bodies[0].toolCallId);
    const events = await world.events(executionId);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "attempt.finished", number: 1, isInterruption: true, outcome: "unknown" }),
    );
    expect(events.at(-1)).toMatchObject({ type: "execution.completed", output: { text: "It is done." } });
  });

  it.each<[string, Partial<HandlerToolDefinition>]>([
    ["writes", { sideEffect: "non_idempotent_write", retries: 3 }],
    ["declares nothing", {}],
  ])("reports an unknown outcome to the model if its tool %s", async (_name, tool) => {
    const interrupted = await startCall(tool);
    await dropRun(interrupted);
    await resume(interrupted);
    const { world, executionId, handler } = interrupted;
    expect(handler.calls).toHaveLength(1);
    const events = await world.events(executionId);
    expect(events.find(({ type }) => type === "tool_call.failed")).toMatchObject({
      error: { code: "OUTCOME_UNKNOWN", outcome: "unknown", retryable: false },
    });
    expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
  });

  it("waits for a store that can't be read", async () => {
    const interrupted = await startCall({ sideEffect: "read_only" });
    await dropRun(interrupted);
    let refusals = 1;
    interrupted.world.interference.read = () => {
      if (refusals-- > 0) throw new YagateError("UNAVAILABLE", "the store could not be read or written");
    };
    await resume(interrupted);
    expect((await interrupted.world.types(interrupted.executionId)).at(-1)).toBe("execution.completed");
    expect(interrupted.world.errors).toEqual([expect.objectContaining({ code: "UNAVAILABLE" })]);
  });
});

describe("a run that drains", () => {
  it("records the running call, and starts nothing after it", async () => {
    const stopped = await startCall({ sideEffect: "non_idempotent_write" });
    stopped.run.drain();
    send(stopped.open, { body: { result: "sent" } });
    await stopped.run.done;
    expect((await stopped.world.types(stopped.executionId)).slice(-2)).toEqual([
      "attempt.finished",
      "tool_call.completed",
    ]);
    await resume(stopped);
    expect(stopped.handler.calls).toHaveLength(1);
    expect((await stopped.world.types(stopped.executionId)).filter((type) => type === "model.failed")).toEqual([]);
  });

  it("keeps a retry for later", async () => {
    const stopped = await startCall({ sideEffect: "non_idempotent_write", retries: 1 });
    stopped.run.drain();
    send(stopped.open, { status: 503 });
    await stopped.run.done;
    expect((await stopped.world.types(stopped.executionId)).at(-1)).toBe("attempt.finished");
    await resume(stopped);
    expect(stopped.handler.calls).toHaveLength(2);
    const ends = (await stopped.world.events(stopped.executionId)).filter(({ type }) => type === "tool_call.completed");
    expect(ends).toMatchObject([{ result: "again" }]);
  });

  it("sends an attempt that was just recorded: left out, it would count as one that may have been sent", async () => {
    const world = await openRunWorld();
    const handler = await startHandler((response) => send(response, { body: { result: "sent" } }));
    const execution = await world.create(
      [toolAt(handler.url, { sideEffect: "non_idempotent_write" })],
      CALL_THEN_ANSWER,
    );
    world.interference.append = async (append, next) => {
      const outcome = await next(append);
      if (append.entries.some(({ event }) => event.type === "attempt.started")) run.drain();
      return outcome;
    };
    const run = world.start(execution, false, nothing);
    await run.done;
    expect(handler.calls).toHaveLength(1);
    expect((await world.types(execution.id)).at(-1)).toBe("tool_call.completed");
  });

  it("records no attempt for calls that the model requested at that moment", async () => {
    const world = await openRunWorld();
    const handler = await startHandler((response) => send(response, { body: { result: "sent" } }));
    const execution = await world.create(
      [toolAt(handler.url, { sideEffect: "non_idempotent_write" })],
      CALL_THEN_ANSWER,
    );
    let isFirst = true;
    world.interference.append = async (append, next) => {
      // Behind a command, so that the turn is judged again, by then for a run that stops.
      if (isFirst && append.entries.some(({ event }) => event.type === "model.responded")) {
        isFirst = false;
        run.drain();
        return "behind";
      }
      return next(append);
    };
    const run = world.start(execution, false, nothing);
    await run.done;
    expect(await world.types(execution.id)).not.toContain("attempt.started");
    delete world.interference.append;
    await world.start(await world.claim(), true, nothing).done;
    expect(handler.calls).toHaveLength(1);
    expect((await world.types(execution.id)).at(-1)).toBe("execution.completed");
  });

  it("drops running work when it is aborted", async () => {
    const stopped = await startCall({ sideEffect: "read_only" });
    stopped.run.drain();
    await dropRun(stopped);
    expect((await stopped.world.types(stopped.executionId)).at(-1)).toBe("attempt.started");
  });
});
