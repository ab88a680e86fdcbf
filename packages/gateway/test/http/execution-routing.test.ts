import {
  createdApiKeySchema,
  type Execution,
  type ExecutionRouting,
  executionSchema,
  type KeyRouting,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus, fieldsOf, makeAgent } from "./support/agents.ts";
import { connectHost } from "./support/mcp-host.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const script = { turns: [{ text: "done" }] };

async function keyWith(routing: KeyRouting | null): Promise<string> {
  const body = { name: "app", scopes: ["executions"], routing };
  return createdApiKeySchema.parse(expectStatus(await world.call("createApiKey", { body }), 201)).key;
}

async function routingOf(
  key: KeyRouting | null,
  body: { readonly routing?: ExecutionRouting; readonly scopes?: string[] },
): Promise<Execution["routing"]> {
  const { id } = await makeAgent(world);
  const bounded = await keyWith(key);
  const request = { params: { id }, body: { input: "hello", script, ...body }, key: bounded };
  return executionSchema.parse(expectStatus(await world.call("executeAgent", request), 201)).routing;
}

describe("the routing of an execution", () => {
  it.each<[string, KeyRouting | null, Parameters<typeof routingOf>[1], ExecutionRouting | undefined]>([
    ["is absent if nothing is restricted", null, {}, undefined],
    ["has no scopes with a key without bounds", null, { routing: { scopes: ["orders"] } }, { scopes: [] }],
    [
      "has the scopes that request and key share",
      { scopes: ["orders", "billing"] },
      { routing: { scopes: ["orders", "hr"] } },
      { scopes: ["orders"] },
    ],
    ["reads the top-level scopes", { scopes: ["orders"] }, { scopes: ["orders"] }, { scopes: ["orders"] }],
    [
      "accepts both fields with the same scopes",
      { scopes: ["orders", "hr"] },
      { scopes: ["orders", "hr"], routing: { scopes: ["hr", "orders"] } },
      { scopes: ["hr", "orders"] },
    ],
    [
      "stays within the bounds of the key",
      { dataClass: "confidential", region: "eu", maxCostClass: "low", intents: ["web.search"] },
      { routing: { dataClass: "public", region: "us", maxCostClass: "high", intents: ["web.search", "code.exec"] } },
      { dataClass: "confidential", region: "eu", maxCostClass: "low", intents: ["web.search"] },
    ],
    [
      "takes the bounds of the key if the request says nothing",
      { region: "eu", dataClass: "internal" },
      {},
      { region: "eu", dataClass: "internal" },
    ],
  ])("%s", async (_what, key, body, expected) => {
    expect(await routingOf(key, body)).toEqual(expected);
  });

  it.each<[string, object, readonly string[]]>([
    ["different scopes in both fields", { scopes: ["a"], routing: { scopes: ["b"] } }, ["routing.scopes"]],
    ["an unknown field", { routing: { scope: ["a"] } }, ["routing.scope"]],
    ["an unknown class", { routing: { dataClass: "secret" } }, ["routing.dataClass"]],
    ["an intent that is no name", { routing: { intents: ["search"] } }, ["routing.intents[0]"]],
  ])("refuses %s", async (_what, body, paths) => {
    const { id } = await makeAgent(world);
    const answer = await world.call("executeAgent", { params: { id }, body: { input: "hello", script, ...body } });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual(paths);
  });

  it("has the bounds of the key that an MCP host uses", async () => {
    const { id } = await makeAgent(world, { name: "exposed", exposed: true, model: "scripted/keyword" });
    const key = await keyWith({ region: "eu", dataClass: "internal" });
    const host = await connectHost("modern", { url: world.url, key });
    await host.callTool({ name: "exposed", arguments: { input: "hello" } });
    const list = await world.call("listExecutions", { query: { agent: id } });
    expect(list.body).toMatchObject({ data: [{ routing: { region: "eu", dataClass: "internal" } }] });
  });
});
