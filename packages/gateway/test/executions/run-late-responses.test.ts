import type { ServerResponse } from "node:http";
import { expect, it, vi } from "vitest";
import { send, startHandler } from "../../../webhooks/test/support/handler-server.ts";
import { CALL_THEN_ANSWER, openRunWorld, toolAt } from "./run-world.ts";

const PATIENT = { timeout: 10_000, interval: 5 };

it("a response that arrives while the end is written is kept, although no event can record it", async () => {
  const world = await openRunWorld();
  const held = Promise.withResolvers<ServerResponse>();
  const handler = await startHandler((response, { body }) => {
    if (body.includes("warm-up")) send(response, { body: { result: 1 } });
    else held.resolve(response);
  });
  const execution = await world.create([toolAt(handler.url, { timeout: 2_000 })], CALL_THEN_ANSWER);
  let isTold = false;
  world.interference.append = async (append, next) => {
    const outcome = await next(append);
    if (append.entries.some(({ event }) => event.type === "execution.completed")) {
      send(await held.promise, { body: { result: "too late" } });
      // Time in which the answer arrives, before the run hears that its end is durable.
      for (let turn = 0; turn < 5; turn += 1) await fetch(handler.url, { method: "POST", body: "warm-up" });
      isTold = true;
    }
    return outcome;
  };
  await world.start(execution, false, () => {}).done;
  expect(isTold).toBe(true);
  const started = (await world.events(execution.id)).find(({ type }) => type === "attempt.started");
  const attemptId = started?.type === "attempt.started" ? started.attemptId : "";
  await vi.waitFor(async () => {
    const found = await world.eventStore.lateResponses([attemptId]);
    expect(found.get(attemptId)).toMatchObject({ httpStatus: 200, responseBytes: 21 });
  }, PATIENT);
  expect((await world.types(execution.id)).at(-1)).toBe("execution.completed");
  expect(world.errors).toEqual([]);
});

it("a response that arrives before the end is recorded by an event alone", async () => {
  const world = await openRunWorld();
  const slow = Promise.withResolvers<ServerResponse>();
  const other = Promise.withResolvers<ServerResponse>();
  const handler = await startHandler((response, { body }) => {
    (body.includes('"slow"') ? slow : other).resolve(response);
  });
  const tools = [toolAt(handler.url, { name: "slow", timeout: 1_000 }), toolAt(handler.url, { name: "other" })];
  const toolCalls = ["slow", "other"].map((name) => ({ name, parameters: {} }));
  const execution = await world.create(tools, [{ toolCalls }, { text: "done" }]);
  const { done } = world.start(execution, false, () => {});
  await vi.waitFor(async () => expect(await world.types(execution.id)).toContain("tool_call.failed"), PATIENT);
  send(await slow.promise, { body: { result: "too late" } });
  await vi.waitFor(async () => expect(await world.types(execution.id)).toContain("tool_call.late"), PATIENT);
  send(await other.promise, { body: { result: 1 } });
  await done;
  const ids = (await world.events(execution.id)).flatMap((event) =>
    event.type === "attempt.started" ? [event.attemptId] : [],
  );
  expect(ids).toHaveLength(2);
  // Pending appends are durable after this.
  await world.store.ping();
  expect(await world.eventStore.lateResponses(ids)).toEqual(new Map());
});

it("a response that arrives while its execution is suspended is recorded by an event, and changes nothing else", async () => {
  const world = await openRunWorld();
  const held = Promise.withResolvers<ServerResponse>();
  const handler = await startHandler((response) => held.resolve(response));
  const tools = [toolAt(handler.url, { timeout: 1_000 })];
  const execution = await world.create(tools, CALL_THEN_ANSWER, { fallback: { waitMs: 60_000 } });
  await world.start(execution, false, () => {}).done;
  expect((await world.types(execution.id)).at(-1)).toBe("execution.waiting");
  send(await held.promise, { body: { result: "too late" } });
  await vi.waitFor(async () => expect((await world.types(execution.id)).at(-1)).toBe("tool_call.late"), PATIENT);
  const due = await world.claimDue();
  if (due === undefined) throw new Error("expected an execution that is due");
  await world.start(due, false, () => {}).done;
  expect((await world.types(execution.id)).at(-1)).toBe("tool_call.late");
  expect(await world.claimDue()).toBeUndefined();
  const attemptIds = (await world.events(execution.id)).flatMap((event) =>
    event.type === "attempt.started" ? [event.attemptId] : [],
  );
  expect(attemptIds).toHaveLength(1);
  expect(await world.eventStore.lateResponses(attemptIds)).toEqual(new Map());
  expect(world.errors).toEqual([]);
});
