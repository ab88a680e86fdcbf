import {
  createdApiKeySchema,
  executionSchema,
  executionTokenSchema,
  type KeyRouting,
  pageSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { execute, expectStatus, makeAgent, problemOf } from "./support/agents.ts";
import { type Handler, startHandler } from "./support/handler.ts";
import { connectHost } from "./support/mcp-host.ts";
import { asking, INTENT, makeShop } from "./support/shop.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

/** A workspace whose only capability has these restrictions, with an agent that requires it. */
async function openShop(restrictions: object, agent: object = {}) {
  const handler = await startHandler({ body: { result: "found" } });
  const { key, workspaceId } = await makeShop(world, [{ url: handler.url, ...restrictions }]);
  const tools = [{ intent: INTENT.name, required: true }];
  const { id } = await makeAgent(world, { tools, name: "desk", exposed: true, ...agent }, { key });
  const createKey = async (routing: KeyRouting | null) => {
    const body = { name: "k", scopes: ["executions", "agents"], workspaceId, routing };
    return createdApiKeySchema.parse(expectStatus(await world.call("createApiKey", { body }), 201));
  };
  const keyWith = async (routing: KeyRouting | null) => (await createKey(routing)).key;
  return { handler, key, id, workspaceId, createKey, keyWith };
}

async function lastOf(key: string) {
  const { body } = await world.call("listExecutions", { key });
  return pageSchema(executionSchema).parse(body).data[0] ?? expect.fail("expected an execution");
}

async function expectNothingServed(handler: Handler, key: string) {
  expect(await lastOf(key)).toMatchObject({ status: "failed", error: { code: "NO_ROUTE" } });
  expect(handler.calls).toEqual([]);
}

describe("the bounds of a key", () => {
  // An MCP host sends no routing, so the agent runs with what the agent and the key say.
  it.each<[string, object, KeyRouting | null]>([
    ["a data class that is stricter than that of the agent", { dataClasses: ["public"] }, { dataClass: "internal" }],
    ["a region", { regions: ["us"] }, { region: "eu" }],
    ["a cost class", { costClass: "high" }, { maxCostClass: "low" }],
    ["intents", {}, { intents: ["web.search"] }],
  ])("hold at /mcp: %s", async (_what, restrictions, routing) => {
    const agent = { model: "scripted/keyword", routing: { dataClass: "public" } };
    const { handler, key, keyWith } = await openShop(restrictions, agent);
    const host = await connectHost("modern", { url: world.url, key: await keyWith(routing) });
    await host.callTool({ name: "desk", arguments: { input: "Where is my order?" } });
    await expectNothingServed(handler, key);
    const free = await connectHost("modern", { url: world.url, key: await keyWith(null) });
    await free.callTool({ name: "desk", arguments: { input: "Where is my order?" } });
    expect((await lastOf(key)).error?.code).not.toBe("NO_ROUTE");
  });

  it("hold at /mcp for scopes, which no MCP host can ask for", async () => {
    const { handler, key, keyWith } = await openShop({ requiredScopes: ["orders"] }, { model: "scripted/keyword" });
    const host = await connectHost("modern", { url: world.url, key: await keyWith({ scopes: ["orders"] }) });
    await host.callTool({ name: "desk", arguments: { input: "Where is my order?" } });
    await expectNothingServed(handler, key);
  });

  it("hold for a replay of what a key with wider bounds started", async () => {
    const { handler, key, id, keyWith } = await openShop({ requiredScopes: ["orders"] });
    const wide = await keyWith({ scopes: ["orders"] });
    const original = await execute(world, id, { ...asking(), routing: { scopes: ["orders"] } }, { key: wide });
    expect([original.status, handler.calls.length]).toEqual(["completed", 1]);
    const call = { params: { id: original.id }, body: { toolMode: "live" }, key: await keyWith({ scopes: [] }) };
    const replay = executionSchema.parse(expectStatus(await world.call("replayExecution", call), 201));
    await expect
      .poll(async () => (await world.call("getExecution", { params: { id: replay.id }, key })).body, {
        timeout: 20_000,
      })
      .toMatchObject({ status: "failed", error: { code: "NO_ROUTE" } });
    expect(handler.calls).toHaveLength(1);
  });

  it("do not hide the execution of a request that is repeated after its key and the intents changed", async () => {
    const { handler, key, id, workspaceId, createKey } = await openShop({});
    const narrowed = { ...asking(), routing: { intents: [INTENT.name, "business.extra"] } };
    expectStatus(await world.call("createIntent", { body: { ...INTENT, name: "business.extra" }, key }), 201);
    const starter = await createKey(null);
    const call = { params: { id }, body: narrowed, headers: { "idempotency-key": "order-7" }, key: starter.key };
    const first = executionSchema.parse(expectStatus(await world.call("executeAgent", call), 201));
    await expect.poll(() => handler.calls.length, { timeout: 20_000 }).toBe(1);
    expectStatus(await world.call("deleteIntent", { params: { name: "business.extra" }, key }), 204);
    const change = {
      params: { id: starter.id },
      query: { workspaceId },
      body: { routing: { intents: ["web.search"] } },
    };
    expectStatus(await world.call("updateApiKey", change), 200);
    const again = executionSchema.parse(expectStatus(await world.call("executeAgent", call), 201));
    expect(again.id).toBe(first.id);
    // Without the key of the first request, the unknown intent is named.
    const other = await world.call("executeAgent", { ...call, headers: { "idempotency-key": "order-8" } });
    expect(problemOf(other)).toMatchObject({ status: 422, errors: [{ code: "UNKNOWN_INTENT" }] });
    expect(handler.calls).toHaveLength(1);
  });

  it("do not hide the execution of a recorded request after the key may no longer supply recordings", async () => {
    const { id, workspaceId, createKey } = await openShop({});
    const starter = await createKey({ recordings: true });
    const body = { input: "x", recording: { modelTurns: [{ text: "done" }] } };
    const call = { params: { id }, body, headers: { "idempotency-key": "tape-1" }, key: starter.key };
    const first = executionSchema.parse(expectStatus(await world.call("executeAgent", call), 201));
    const change = { params: { id: starter.id }, query: { workspaceId }, body: { routing: null } };
    expectStatus(await world.call("updateApiKey", change), 200);
    expect(expectStatus(await world.call("executeAgent", call), 201)).toMatchObject({ id: first.id });
    const other = await world.call("executeAgent", { ...call, headers: { "idempotency-key": "tape-2" } });
    expect(problemOf(other)).toMatchObject({ status: 403 });
  });

  it("cannot be left with the token of an execution, which starts and decides nothing", async () => {
    const { handler, key, id, keyWith } = await openShop({ requiredScopes: ["orders"] });
    const wide = await keyWith({ scopes: ["orders"] });
    const body = { ...asking(), routing: { scopes: ["orders"] } };
    const original = await execute(world, id, body, { key: wide });
    const made = await world.call("createExecutionToken", { params: { id: original.id }, body: {}, key: wide });
    const { token } = executionTokenSchema.parse(expectStatus(made, 201));
    const requests = [
      ["executeAgent", id, body],
      ["executeAgentStream", id, body],
      ["routeAgent", id, { input: "x" }],
      ["replayExecution", original.id, { toolMode: "live" }],
    ] as const;
    for (const [name, subject, content] of requests) {
      const answer = await world.call(name, { params: { id: subject }, body: content, key: token });
      expect([name, answer.status, problemOf(answer).code]).toEqual([name, 403, "FORBIDDEN"]);
    }
    expect(handler.calls).toHaveLength(1);
    expect((await lastOf(key)).id).toBe(original.id);
  });
});
