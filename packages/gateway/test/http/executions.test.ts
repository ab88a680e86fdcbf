import {
  type CreateExecution,
  type Execution,
  executionSchema,
  pageSchema,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, expectStatus, makeAgent, problemOf, saying, start } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

/** An agent with a tool whose handler answers once it is released. */
async function holding() {
  const handler = await startHandler({ isHeld: true });
  const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
  return { handler, agent };
}

async function read(id: string): Promise<Execution> {
  return executionSchema.parse(expectStatus(await world.call("getExecution", { params: { id } }), 200));
}

async function untilEnd(id: string): Promise<Execution> {
  await new EventReader(await world.open("followExecution", { params: { id } })).all();
  return read(id);
}

describe("a script whose turn ends at the length limit", () => {
  it.each([
    ["the beginning of an answer", "It was", "It was"],
    ["nothing said", "", "The model reached its length limit before it produced any text."],
  ])("ends the execution as truncated: %s", async (_what, text, output) => {
    const { id } = await makeAgent(world);
    const ended = await execute(world, id, {
      input: "hello",
      script: { turns: [{ text, finishReason: "length" }] },
    });
    expect(ended).toMatchObject({ status: "completed", stopReason: "truncated", output: { text: output } });
  });

  it("runs none of its calls", async () => {
    const handler = await startHandler();
    const { id } = await makeAgent(world, { tools: [workTool(handler.url)] });
    const turns = [
      { toolCalls: [{ name: "work", parameters: {} }], finishReason: "length" as const },
      { text: "It could not be done." },
    ];
    const ended = await execute(world, id, { input: "hello", script: { turns } });
    expect(ended).toMatchObject({ stopReason: "final", output: { text: "It could not be done." } });
    const calls = expectStatus(await world.call("listToolCalls", { params: { id: ended.id } }), 200);
    expect(calls).toMatchObject({ data: [{ name: "work", status: "failed", error: { code: "INVALID_ARGUMENTS" } }] });
  });
});

describe("starting", () => {
  it("answers at once with the queued execution and where it is", async () => {
    const { handler, agent } = await holding();
    const body = { ...calling("work"), metadata: { ticket: 7 } };
    const answer = await world.call("executeAgent", { params: { id: agent.id }, body });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^exec_/),
      agentId: agent.id,
      agentVersion: 1,
      status: "queued",
      stopReason: null,
      input: "hello",
      output: null,
      error: null,
      usage: { inputTokens: 0, outputTokens: 0, toolCalls: 0 },
      cost: { usd: 0, credits: 0 },
      metadata: { ticket: 7 },
      createdAt: expect.stringMatching(/Z$/),
      startedAt: null,
      finishedAt: null,
      mode: "live",
    });
    const { id } = executionSchema.parse(answer.body);
    expect(answer.headers.get("location")).toBe(`/v1/executions/${id}`);
    await handler.called(1);
    expect(await read(id)).toMatchObject({ status: "running" });
    handler.release();
    expect(await untilEnd(id)).toMatchObject({ status: "completed", stopReason: "final", output: { text: "done" } });
  });

  it("holds the answer until the end when the client is ready to wait", async () => {
    const agent = await makeAgent(world);
    const answer = await world.call("executeAgent", {
      params: { id: agent.id },
      body: saying("hi"),
      headers: { prefer: "wait=20" },
    });
    expect(answer.headers.get("preference-applied")).toBe("wait=20");
    expect(answer.headers.get("location")).toMatch(/^\/v1\/executions\/exec_/);
    expect(answer.body).toMatchObject({ status: "completed", output: { text: "hi" } });
  });

  it("answers with the execution as it is when the time is over", async () => {
    const { handler, agent } = await holding();
    const startedAt = performance.now();
    const headers = { prefer: "wait=1" };
    const execution = await start(world, agent.id, calling("work"), { headers });
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(execution.status).toBe("running");
    handler.release();
    expect(await untilEnd(execution.id)).toMatchObject({ status: "completed" });
  });

  it("streams when it is asked to, whatever is preferred", async () => {
    const agent = await makeAgent(world);
    const headers = { accept: "text/event-stream", prefer: "wait=20" };
    const response = await world.open("executeAgent", { params: { id: agent.id }, body: saying("hi"), headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("preference-applied")).toBeNull();
    const messages = await new EventReader(response).all();
    expect(messages.at(-1)?.data.type).toBe("execution.completed");
    expect(response.headers.get("location")).toBe(`/v1/executions/${messages[0]?.data.executionId}`);
  });

  it("streams on a route of its own, with no header that asks for it", async () => {
    const agent = await makeAgent(world);
    const call = { params: { id: agent.id }, body: saying("hi") };
    const headers = { "idempotency-key": "own-route" };
    const response = await world.open("executeAgentStream", { ...call, headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const messages = await new EventReader(response).all();
    expect(messages.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["execution.started", "text.delta", "execution.completed"]),
    );
    const id = messages[0]?.data.executionId;
    expect(response.headers.get("location")).toBe(`/v1/executions/${id}`);
    // Both routes know the same keys.
    expect((await start(world, agent.id, saying("hi"), { headers })).id).toBe(id);
    const resumed = await world.open("executeAgentStream", { ...call, headers: { ...headers, "last-event-id": "2" } });
    expect((await new EventReader(resumed).all())[0]?.id).toBe("3");
    expect(await world.call("executeAgentStream", { ...call, body: {} })).toMatchObject({ status: 422 });
    const other = await world.call("executeAgentStream", { ...call, headers, body: saying("ho") });
    expect(other).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  });

  it("fails with a clear error when the model has no key", async () => {
    const agent = await makeAgent(world, { model: "openai/gpt-5" });
    expect(await execute(world, agent.id, { input: "hello" })).toMatchObject({
      status: "failed",
      stopReason: "error",
      error: { code: "NOT_CONFIGURED", message: expect.stringContaining("OPENAI_API_KEY") },
    });
  });

  it("lowers the agent's limits and never raises them", async () => {
    const agent = await makeAgent(world, { limits: { maxToolIterations: 3, maxWallTimeMs: 5_000 } });
    const limits = { maxToolIterations: 9, maxWallTimeMs: 1_000, maxToolCostUsd: 1 };
    const { id } = await start(world, agent.id, { ...saying("hi"), limits });
    const started = await new EventReader(await world.open("followExecution", { params: { id } })).until(
      "execution.started",
    );
    expect(started.data).toMatchObject({ limits: { maxToolIterations: 3, maxWallTimeMs: 1_000, maxToolCostUsd: 1 } });
  });

  it("stays on the version of the agent that it started with", async () => {
    const { handler, agent } = await holding();
    const { id } = await start(world, agent.id, calling("work"));
    await handler.called(1);
    await world.call("updateAgent", { params: { id: agent.id }, body: { tools: [] } });
    await world.call("archiveAgent", { params: { id: agent.id } });
    handler.release();
    expect(await untilEnd(id)).toMatchObject({ status: "completed", agentVersion: 1, usage: { toolCalls: 1 } });
  });
});

describe("Idempotency-Key", () => {
  const once = (key: string) => ({ headers: { "idempotency-key": key } });

  it("gets the same execution in whichever form it is asked for", async () => {
    const agent = await makeAgent(world);
    const first = await start(world, agent.id, saying("hi"), once("forms"));
    const waited = await execute(world, agent.id, saying("hi"), once("forms"));
    const headers = { ...once("forms").headers, accept: "text/event-stream" };
    const response = await world.open("executeAgent", { params: { id: agent.id }, body: saying("hi"), headers });
    const [message] = await new EventReader(response).all();
    const again = await start(world, agent.id, saying("hi"), once("forms"));
    expect([waited.id, message?.data.executionId, again.id]).toEqual([first.id, first.id, first.id]);
    expect(again).toMatchObject({ status: "completed", output: { text: "hi" } });
  });

  it("takes a body that says the same in another way for the same", async () => {
    const agent = await makeAgent(world);
    const send = (body: string) => world.call("executeAgent", { params: { id: agent.id }, body, ...once("same-body") });
    const bodies = [
      '{"input":"hello","script":{"turns":[{"text":"hi"}]},"fallback":{}}',
      '{ "script": { "turns": [{ "text": "hi" }] }, "fallback": { "waitMs": 30000 }, "input": "h\\u0065llo" }',
    ];
    const ids = [];
    for (const body of bodies) ids.push(executionSchema.parse(expectStatus(await send(body), 201)).id);
    expect(ids[1]).toBe(ids[0]);
  });

  it("makes one execution of requests that come at once", async () => {
    const { handler, agent } = await holding();
    const requests = Array.from({ length: 12 }, () => start(world, agent.id, calling("work"), once("at-once")));
    const ids = new Set((await Promise.all(requests)).map(({ id }) => id));
    expect(ids.size).toBe(1);
    await handler.called(1);
    handler.release();
    for (const id of ids) await untilEnd(id);
    expect(handler.calls).toHaveLength(1);
  });

  it.each<[string, CreateExecution]>([
    ["another input", { ...saying("hi"), input: "goodbye" }],
    ["another script", saying("ho")],
    ["more of it", { ...saying("hi"), metadata: {} }],
  ])("refuses %s with the same key", async (_what, body) => {
    const agent = await makeAgent(world);
    await start(world, agent.id, saying("hi"), once("other"));
    const answer = await world.call("executeAgent", { params: { id: agent.id }, body, ...once("other") });
    expect(problemOf(answer)).toMatchObject({ status: 409, code: "CONFLICT" });
  });

  it("is one of its route: another agent has its own", async () => {
    const [one, other] = [await makeAgent(world), await makeAgent(world)];
    const first = await start(world, one.id, saying("hi"), once("route"));
    const second = await start(world, other.id, saying("hi"), once("route"));
    expect(second.id).not.toBe(first.id);
  });

  it("is still free after a request that was refused", async () => {
    const agent = await makeAgent(world);
    const refused = await world.call("executeAgent", {
      params: { id: agent.id },
      body: { input: "" },
      ...once("free"),
    });
    expect(refused.status).toBe(422);
    expect((await start(world, agent.id, saying("hi"), once("free"))).status).toBe("queued");
  });
});

describe("cancelling", () => {
  it("ends an execution, may be repeated, and leaves an ended one as it was", async () => {
    const { handler, agent } = await holding();
    const { id } = await start(world, agent.id, calling("work"));
    await handler.called(1);
    const params = { id };
    expect((await world.call("cancelExecution", { params })).status).toBe(202);
    expect((await world.call("cancelExecution", { params })).status).toBe(202);
    const ended = await untilEnd(id);
    expect(ended).toMatchObject({ status: "cancelled", stopReason: "cancelled" });
    expect(await world.call("cancelExecution", { params })).toMatchObject({ status: 202, body: ended });
    handler.release();
  });

  it("changes nothing of an execution that was completed", async () => {
    const agent = await makeAgent(world);
    const ended = await execute(world, agent.id, saying("hi"));
    const answer = await world.call("cancelExecution", { params: { id: ended.id } });
    expect(answer).toMatchObject({ status: 202, body: ended });
    expect(await read(ended.id)).toEqual(ended);
  });
});

describe("lists", () => {
  it("gives executions newest first, in pages", async () => {
    const { key } = await world.makeWorkspace("executions");
    const agent = await makeAgent(world, {}, { key });
    const ids: string[] = [];
    for (const text of ["a", "b", "c"]) ids.unshift((await start(world, agent.id, saying(text), { key })).id);
    const page = async (query: Record<string, string>) =>
      pageSchema(executionSchema).parse((await world.call("listExecutions", { key, query })).body);
    const first = await page({ limit: "2" });
    const second = await page({ limit: "2", cursor: first.nextCursor ?? "" });
    expect([first, second].map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(second.nextCursor).toBeNull();
  });

  it("gives an execution's tool calls in the order in which they were asked for, in pages", async () => {
    const { handler, agent } = await holding();
    handler.release();
    const toolCalls = [1, 2, 3, 4, 5].map((n) => ({ name: "work", parameters: { n } }));
    const script = {
      turns: [{ toolCalls: toolCalls.slice(0, 3) }, { toolCalls: toolCalls.slice(3) }, { text: "done" }],
    };
    const { id } = await execute(world, agent.id, { input: "hello", script });
    const page = async (query: Record<string, string>) =>
      pageSchema(toolCallRecordSchema).parse((await world.call("listToolCalls", { params: { id }, query })).body);
    const pages = [await page({ limit: "2" })];
    for (let last = pages[0]; last?.nextCursor; last = pages.at(-1)) {
      pages.push(await page({ limit: "2", cursor: last.nextCursor }));
    }
    expect(pages.map(({ data }) => data.map(({ parameters }) => parameters))).toEqual([
      [{ n: 1 }, { n: 2 }],
      [{ n: 3 }, { n: 4 }],
      [{ n: 5 }],
    ]);
    const [call] = pages[0]?.data ?? [];
    expect((await world.call("getToolCall", { params: { id: call?.id ?? "" } })).body).toEqual(call);
    const attempt = await world.call("getAttempt", { params: { id: call?.attempts[0]?.id ?? "" } });
    expect(attempt.body).toMatchObject({ executionId: id, toolCallId: call?.id, httpStatus: 200 });
  });
});
