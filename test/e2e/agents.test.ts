import express from "express";
import { describe, expect, it } from "vitest";
import { calls, listen, startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

/** A provider of OpenAI's wire format that asks for the tool once and then answers. */
async function startModelProvider() {
  const requests: string[] = [];
  const app = express();
  app.post("/v1/chat/completions", express.text({ type: () => true }), (request, response) => {
    requests.push(`${JSON.stringify(request.headers)}\n${request.body}`);
    const message =
      requests.length === 1
        ? {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "lookup_order", arguments: '{"orderId":"ORD-1"}' } },
            ],
          }
        : { role: "assistant", content: "It is on its way." };
    const finish_reason = requests.length === 1 ? "tool_calls" : "stop";
    response.json({
      id: `chatcmpl-${requests.length}`,
      object: "chat.completion",
      created: 1,
      model: "gpt-test",
      choices: [{ index: 0, message, finish_reason }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  });
  return { url: `${await listen(app)}/v1`, requests };
}

describe("an agent", () => {
  it("passes the caller on to its handlers, and never to its model", async () => {
    const model = await startModelProvider();
    const world = await openWorld({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } } });
    const { url, calls: arrived } = await startRawService((response) => void response.json({ result: "shipped" }));
    const agent = await world.createAgent([toolAt(url)], { model: "openai/gpt-test" });
    const caller = { userId: "user-4711", tenant: "acme" };
    // Nobody listens, so the model is not asked to stream.
    const answer = await fetch(`${world.url}/v1/agents/${agent.id}/executions`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json", prefer: "wait=10" },
      body: JSON.stringify({ input: "Where is ORD-1?", caller, metadata: { ticket: "ticket-99" } }),
    });
    expect(await answer.json()).toMatchObject({ status: "completed", output: { text: "It is on its way." } });
    expect(arrived.map(({ body }) => JSON.parse(body.toString()).caller)).toEqual([caller]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]).toContain("shipped");
    for (const secret of ["user-4711", "acme", "ticket-99", world.secret]) {
      expect(model.requests.join("\n")).not.toContain(secret);
    }
    expect(model.requests.join("\n")).toContain("Bearer sk-test");
  });

  it("is changed for new executions only: one that runs stays on its version", async () => {
    const world = await openWorld();
    const changed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const before = await startRawService(async (response) => {
      arrived.resolve();
      await changed.promise;
      response.json({ result: "before" });
    });
    const after = await startRawService((response) => void response.json({ result: "after" }));
    const agent = await world.createAgent([toolAt(before.url)]);
    const request = {
      input: "go",
      script: { turns: [calls("lookup_order"), calls("lookup_order"), { text: "done" }] },
    };
    const running = world.client.agents.execute(agent.id, request);
    await arrived.promise;
    const next = await world.client.agents.update(agent.id, { version: 1, tools: [toolAt(after.url)] });
    expect(next.version).toBe(2);
    changed.resolve();
    const results = ({ toolCalls }: Awaited<typeof running>) => toolCalls.map(({ result }) => result);
    expect(await running).toMatchObject({ agentVersion: 1 });
    expect(results(await running)).toEqual(["before", "before"]);
    const newer = await world.client.agents.execute(agent.id, request);
    expect(newer.agentVersion).toBe(2);
    expect(results(newer)).toEqual(["after", "after"]);
    await expect(world.client.agents.update(agent.id, { version: 1, name: "late" })).rejects.toMatchObject({
      code: "CONFLICT",
      status: 409,
    });
  });

  it("that was deleted ends what has started, and starts nothing", async () => {
    const world = await openWorld();
    const arrived = Promise.withResolvers<void>();
    const deleted = Promise.withResolvers<void>();
    const { url } = await startRawService(async (response) => {
      arrived.resolve();
      await deleted.promise;
      response.json({ result: 1 });
    });
    const agent = await world.createAgent([toolAt(url)]);
    const request = { input: "go", script: { turns: [calls("lookup_order"), { text: "done" }] } };
    const running = world.client.agents.execute(agent.id, request);
    await arrived.promise;
    await world.client.agents.delete(agent.id);
    deleted.resolve();
    expect(await running).toMatchObject({ status: "completed", output: { text: "done" } });
    await expect(world.client.agents.execute(agent.id, request)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is listed with all others, page by page, newest first and each once", async () => {
    const world = await openWorld();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) ids.push((await world.createAgent([], { name: `Agent ${count}` })).id);
    const pages: (readonly string[])[] = [];
    for await (const page of world.client.agents.list({ limit: 3 }).pages()) {
      pages.push(page.data.map(({ id }) => id));
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(ids.toReversed());
    const found: string[] = [];
    for await (const { id } of world.client.agents.list({ limit: 2 })) found.push(id);
    expect(found).toEqual(pages.flat());
  });
});
