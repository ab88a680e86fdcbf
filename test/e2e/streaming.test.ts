import { type StreamEvent, Yagate } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld, type World } from "./support/world.ts";
import { startWritingModel } from "./support/writing-model.ts";

/** The numbers of the numbered events, in the order in which they came. */
function numbers(events: readonly StreamEvent[]): readonly number[] {
  return events.flatMap((event) => (event.type === "text.delta" ? [] : [event.seq]));
}

const fromOne = (length: number) => Array.from({ length }, (_, index) => index + 1);

async function behindProxy(world: World) {
  const proxy = await startCuttingProxy(world.url);
  const client = new Yagate({ baseUrl: proxy.url, apiKey: world.apiKey });
  return { proxy, client };
}

describe("an execution's events", () => {
  it("bring the model's text while it is written, and then the whole of it", async () => {
    const model = await startWritingModel();
    const world = await openWorld({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } } });
    const service = await startRawService((response) => {
      response.json({ result: "shipped" });
    });
    const agent = await world.createAgent([toolAt(service.url)], { model: "openai/writer" });
    const pieces = ["Your order ", "is on its way", " to Berlin."];
    const events: StreamEvent[] = [];
    let written = 0;
    for await (const event of world.client.agents.stream(agent.id, { input: "go" })) {
      events.push(event);
      const isNextTurn = event.type === "model.requested" && event.turn === 2;
      if (!isNextTurn && event.type !== "text.delta") continue;
      // The model writes a piece only after the one before has arrived.
      const turn = await model.turn(0);
      const piece = pieces[written++];
      if (piece === undefined) turn.end();
      else turn.write(piece);
    }
    const responded = events.findLastIndex(({ type }) => type === "model.responded");
    const deltas = events.flatMap((event, index) => (event.type === "text.delta" ? [{ ...event, index }] : []));
    expect(deltas.map((delta) => delta.text)).toEqual(pieces);
    expect(deltas.every(({ index, turn }) => index < responded && turn === 2)).toBe(true);
    expect(events[responded]).toMatchObject({ text: pieces.join("") });
    expect(numbers(events)).toEqual(fromOne(numbers(events).length));
  });

  it("bring that text without the secrets of the agent, however they are cut into pieces", async () => {
    const world = await openWorld();
    const value = "sk-0123456789abcdef0123456789abcdef";
    await world.client.secrets.set("SHOP_KEY", { value, auth: { type: "bearer" }, hosts: ["api.shop.example"] });
    const agent = await world.createAgent([], { credentials: ["SHOP_KEY"] });
    const text = `${"Your order is on its way. ".repeat(30)}${value}${" It comes tomorrow.".repeat(30)}`;
    const deltas: string[] = [];
    for await (const event of world.client.agents.stream(agent.id, { input: "go", script: { turns: [{ text }] } })) {
      if (event.type === "text.delta") deltas.push(event.text);
    }
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe(text.replace(value, "***SHOP_KEY***"));
  });

  it("come once each, in order and without a gap, however often the connection breaks", async () => {
    const world = await openWorld();
    const { url } = await startRawService((response) => void response.json({ result: 1 }));
    const { proxy, client } = await behindProxy(world);
    const agent = await world.createAgent([toolAt(url)]);
    const events: StreamEvent[] = [];
    for (const type of ["model.responded", "attempt.finished", "model.requested"]) proxy.cutAfter(`event: ${type}\n`);
    const turns = [calls("lookup_order"), calls("lookup_order"), { text: "done" }];
    const execution = await client.agents.execute(agent.id, {
      input: "go",
      script: { turns },
      onEvent: (event) => events.push(event),
    });
    expect(execution.output?.text).toBe("done");
    expect(proxy.connections).toBeGreaterThanOrEqual(3);
    expect(numbers(events)).toEqual(fromOne(numbers(events).length));
    expect(events.at(-1)?.type).toBe("execution.completed");
    expect(await client.executions.list().toArray()).toHaveLength(1);
  });

  it("begin again with the same execution when the connection broke before the first one", async () => {
    const world = await openWorld();
    const { proxy, client } = await behindProxy(world);
    const agent = await world.createAgent([]);
    proxy.cutAfter("HTTP/1.1 200");
    const execution = await client.agents.execute(agent.id, { input: "go", script: { turns: [{ text: "done" }] } });
    expect(execution.output?.text).toBe("done");
    expect(proxy.connections).toBeGreaterThanOrEqual(2);
    expect(await client.executions.list().toArray()).toMatchObject([{ id: execution.id }]);
  });

  it("ask onToolError once for a call, although the connection breaks right after the question", async () => {
    const world = await openWorld();
    const { url } = await startRawService((response) => void response.status(400).end());
    const { proxy, client } = await behindProxy(world);
    const agent = await world.createAgent([toolAt(url)]);
    proxy.cutAfter("event: tool_call.failed\n");
    proxy.cutAfter("event: fallback.received\n");
    const asked: string[] = [];
    const execution = await client.agents.execute(agent.id, {
      input: "go",
      script: { turns: [calls("lookup_order"), { text: "done" }] },
      async onToolError({ toolCallId }) {
        asked.push(toolCallId);
        return { result: "from the caller" };
      },
    });
    expect(execution.toolCalls).toMatchObject([{ id: asked[0], via: "fallback", result: "from the caller" }]);
    expect(asked).toHaveLength(1);
    expect(execution.fallbackErrors).toEqual([]);

    // Whoever listens from the start later and answers too changes nothing.
    const again = client.executions.events(execution.id, { onToolError: () => ({ result: "too late" }) });
    expect((await again.result()).fallbackErrors).toEqual([]);
    expect((await again.result()).toolCalls).toMatchObject([{ result: "from the caller" }]);
  });

  it("can be read later, from the start or from any of them on, by whoever has the id", async () => {
    const world = await openWorld();
    const { url } = await startRawService((response) => void response.json({ result: "shipped" }));
    const agent = await world.createAgent([toolAt(url)]);
    const turns = [calls("lookup_order"), { text: "done" }];
    const started = await world.client.agents.start(agent.id, {
      input: "go",
      script: { turns },
      metadata: { shop: 7 },
    });
    expect(started).toMatchObject({ status: "queued", output: null });

    const reader = new Yagate({ baseUrl: world.url, apiKey: world.apiKey });
    const all: StreamEvent[] = [];
    for await (const event of reader.executions.events(started.id)) all.push(event);
    expect(numbers(all)).toEqual(fromOne(numbers(all).length));
    const rest: StreamEvent[] = [];
    for await (const event of reader.executions.events(started.id, { lastEventId: 4 })) rest.push(event);
    expect(numbers(rest)).toEqual(numbers(all).slice(4));
    expect(await reader.executions.get(started.id)).toMatchObject({
      status: "completed",
      output: { text: "done" },
      metadata: { shop: 7 },
      agentVersion: 1,
    });
  });
});
