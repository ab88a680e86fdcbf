import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, makeAgent, saying, start } from "./support/agents.ts";
import { EventReader, type Message } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

async function follow(id: string, lastEventId?: number): Promise<EventReader> {
  const headers = lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) };
  return new EventReader(await world.open("followExecution", { params: { id }, headers }));
}

const seqOf = (message: Message | undefined) => Number(message?.id ?? Number.NaN);
const numbered = (messages: readonly Message[]) => messages.filter(({ id }) => id !== undefined);

async function endedExecution() {
  const handler = await startHandler();
  const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
  return execute(world, agent.id, calling("work"));
}

describe("an ended execution", () => {
  it("is told from its first event to its last, each numbered and named", async () => {
    const { id } = await endedExecution();
    const response = await world.open("followExecution", { params: { id } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const messages = await new EventReader(response).all();
    expect(messages.map((message) => [message.id, message.event])).toEqual(
      messages.map(({ data }, index) => [String(index + 1), data.type]),
    );
    expect(messages.map(({ event }) => event)).toEqual([
      "execution.started",
      "model.requested",
      "model.responded",
      "tool_call.requested",
      "attempt.started",
      "attempt.finished",
      "tool_call.completed",
      "model.requested",
      "model.responded",
      "execution.completed",
    ]);
    expect(messages.every(({ data }) => data.executionId === id)).toBe(true);
  });

  it("goes on after any event that the reader has seen", async () => {
    const { id } = await endedExecution();
    const all = await (await follow(id)).all();
    for (let seen = 0; seen <= all.length; seen += 1) {
      expect(await (await follow(id, seen)).all()).toEqual(all.slice(seen));
    }
  });

  it.each([1, 1_000, 999_999_999_999_999])("ends at once for a reader who is %d past its end", async (past) => {
    const { id } = await endedExecution();
    const all = await (await follow(id)).all();
    expect(await (await follow(id, all.length + past)).all()).toEqual([]);
  });

  it("is told again to a repeated request, from where its client stopped", async () => {
    const agent = await makeAgent(world);
    const headers = { accept: "text/event-stream", "idempotency-key": "again" };
    const send = async (extra: Record<string, string>) => {
      const call = { params: { id: agent.id }, body: saying("hi"), headers: { ...headers, ...extra } };
      return numbered(await new EventReader(await world.open("executeAgent", call)).all());
    };
    const all = await send({});
    expect(await send({ "last-event-id": "2" })).toEqual(all.slice(2));
  });
});

describe("a running execution", () => {
  it("is told without a gap or a repeat over connections that break at any event", async () => {
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    const { id } = await start(world, agent.id, calling("work"));
    const seen: Message[] = [];
    for (let count = 1; count <= 5; count += 1) {
      const reader = await follow(id, seqOf(seen.at(-1)) || 0);
      const message = await reader.next();
      if (message !== undefined) seen.push(message);
      await reader.leave();
    }
    const last = await follow(id, seqOf(seen.at(-1)));
    handler.release();
    const all = [...seen, ...numbered(await last.all())];
    expect(all).toEqual(await (await follow(id)).all());
    expect(all.at(-1)?.event).toBe("execution.completed");
  });

  it("is told to every reader", async () => {
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    const { id } = await start(world, agent.id, calling("work"));
    const readers = await Promise.all(Array.from({ length: 5 }, () => follow(id)));
    await handler.called(1);
    handler.release();
    const told = await Promise.all(readers.map((reader) => reader.all()));
    const all = await (await follow(id)).all();
    expect(told.map(numbered)).toEqual(readers.map(() => all));
  });

  it("goes on with the next event for a reader who claims to have seen more than there is", async () => {
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    const { id } = await start(world, agent.id, calling("work"));
    await handler.called(1);
    const reader = await follow(id, 1_000);
    handler.release();
    const messages = numbered(await reader.all());
    expect(messages.map(({ event }) => event)).toContain("attempt.finished");
    expect(messages.at(-1)?.event).toBe("execution.completed");
  });

  it("carries the text while it is written, without numbers", async () => {
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
    const { id } = await start(world, agent.id, calling("work"));
    await handler.called(1);
    const reader = await follow(id);
    handler.release();
    const messages = await reader.all();
    const deltas = messages.filter(({ event }) => event === "text.delta");
    for (const { id: number, data } of deltas) {
      expect(number).toBeUndefined();
      expect(Object.keys(data).sort()).toEqual(["executionId", "text", "turn", "type"]);
    }
    expect(deltas.map(({ data }) => (data.type === "text.delta" ? data.text : "")).join("")).toBe("done");
  });
});

it("tells browsers to come back at different times, so that they don't come all at once", async () => {
  const { id } = await endedExecution();
  const delays = new Set<number>();
  for (let reader = 0; reader < 20; reader += 1) {
    const text = await (await world.open("followExecution", { params: { id } })).text();
    delays.add(Number(/^retry: (\d+)$/m.exec(text)?.[1]));
  }
  expect(delays.size).toBeGreaterThan(5);
  for (const delayMs of delays) expect(delayMs >= 1_000 && delayMs <= 4_000).toBe(true);
});

it("answers HEAD at once, whatever the execution does", async () => {
  const handler = await startHandler({ isHeld: true });
  const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
  const { id } = await start(world, agent.id, calling("work"));
  const response = await fetch(`${world.url}/v1/executions/${id}/events`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${world.key}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(await response.text()).toBe("");
  handler.release();
});
