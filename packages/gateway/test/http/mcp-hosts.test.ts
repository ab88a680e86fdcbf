import { createMCPClient } from "@ai-sdk/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, expect, it } from "vitest";
import { makeAgent } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());
await makeAgent(world, { name: "Order desk", model: "scripted/keyword", exposed: true });

const url = `${world.url}/mcp`;
const headers = { authorization: `Bearer ${world.key}` };
const SAYS = { content: [{ type: "text", text: expect.stringContaining("I am scripted/keyword") }] };

it("the client of the first SDK executes an agent", async () => {
  const client = new Client({ name: "host", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["order_desk", "execution_result"]);
  expect(await client.callTool({ name: "order_desk", arguments: { input: "hello" } })).toMatchObject(SAYS);
  await client.close();
});

it("the AI SDK executes an agent", async () => {
  const client = await createMCPClient({ transport: { type: "http", url, headers } });
  const tools = await client.tools();
  expect(Object.keys(tools)).toEqual(["order_desk", "execution_result"]);
  const result = await tools["order_desk"]?.execute({ input: "hello" }, { toolCallId: "1", messages: [], context: {} });
  expect(result).toMatchObject(SAYS);
  await client.close();
});
