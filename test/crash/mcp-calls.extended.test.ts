import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { expect, it } from "vitest";
import * as z from "zod";
import { listenOnLoopback } from "../services/listen-on-loopback.ts";
import { followToEnd } from "./applicant.ts";
import { GatewayProcess } from "./gateway-process.ts";

const messageSchema = z.object({
  id: z.unknown(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional() }).optional(),
});
const inputSchema = { type: "object" };

/**
 * A server of the revision 2026-07-28 that never answers the first call of each tool, and answers all later ones at
 * once.
 */
async function startServer(tools: readonly string[]) {
  const calls = new Map(tools.map((name) => [name, 0]));
  const held = Promise.withResolvers<void>();
  const results: Readonly<Record<string, object>> = {
    "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo: SERVER_INFO },
    "tools/list": { tools: tools.map((name) => ({ name, inputSchema })) },
    "tools/call": { content: [{ type: "text", text: "worked" }] },
  };
  const server = createServer(async (request, response) => {
    const { id, method, params } = messageSchema.parse(await json(request));
    if (method === "tools/call") {
      const { name = "" } = params ?? {};
      const count = (calls.get(name) ?? 0) + 1;
      calls.set(name, count);
      if ([...calls.values()].every((each) => each > 0)) held.resolve();
      if (count === 1) return;
    }
    const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...results[method] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  const origin = await listenOnLoopback(server);
  return { url: `${origin}/mcp`, calls, held: held.promise };
}

const SERVER_INFO = { name: "slow", version: "1" };

it("calls of MCP tools that a kill cuts are repeated only if their side effect allows it", {
  timeout: 120_000,
}, async () => {
  const gateway = await GatewayProcess.prepare();
  await gateway.start();
  const server = await startServer(["read", "write"]);
  const { client } = gateway;
  const overrides = {
    read: { sideEffect: "read_only" },
    write: { sideEffect: "non_idempotent_write", retries: 3 },
  } as const;
  const source = await client.sources.create({ name: "slow", kind: "mcp", url: server.url, accept: "all", overrides });
  const tools = [{ source: source.id }];
  const agent = await client.agents.create({
    name: "Crash",
    model: "scripted/turns",
    tools,
    policy: { network: true },
  });
  const start = async (tool: string) => {
    const turns = [{ toolCalls: [{ name: `slow.${tool}`, parameters: {} }] }, { text: "done" }];
    return (await client.agents.start(agent.id, { input: "go", script: { turns } })).id;
  };
  const [read, write] = [await start("read"), await start("write")];
  await server.held;
  await gateway.kill();
  await gateway.start();
  const endsOf = async (id: string) => {
    const events = await followToEnd(gateway, id);
    expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
    return events.filter(({ type }) => type === "tool_call.failed" || type === "tool_call.completed");
  };
  expect(await endsOf(read)).toMatchObject([{ type: "tool_call.completed", result: "worked" }]);
  expect(await endsOf(write)).toMatchObject([{ type: "tool_call.failed", error: { code: "OUTCOME_UNKNOWN" } }]);
  expect(Object.fromEntries(server.calls)).toEqual({ read: 2, write: 1 });
  expect(gateway.defects).toEqual([]);
});
