import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import type { ComposedGateway } from "../../src/compose/compose-gateway.ts";
import { composeGateway } from "../../src/compose/compose-gateway.ts";
import { completeConfig } from "../../src/config/gateway-config.ts";
import type { ExecutionStart } from "../../src/executions/service/execution-service.ts";

let dataDir: string;
let composed: ComposedGateway;
let commits = 0;
let start: ExecutionStart;
const handler = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.setHeader("content-type", "application/json").end('{"result":"shipped"}'));
});

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "yagate-"));
  handler.listen(0, "127.0.0.1");
  await once(handler, "listening");
  const address = handler.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const beforeCommit = () => {
    commits += 1;
  };
  const config = completeConfig({ dataDir, allowCidrs: ["127.0.0.0/8"] });
  composed = await composeGateway(config, () => openSqliteStore({ dataDir, beforeCommit }));
  const workspaceId = composed.defaultWorkspaceId;
  const tool = {
    name: "lookup_order",
    description: "Look up an order by its number.",
    parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
    handler: `http://127.0.0.1:${port}/`,
  };
  const agent = await composed.agentWriter.create(workspaceId, {
    name: "a",
    model: "scripted/turns",
    systemPrompt: "",
    tools: [tool],
  });
  const call = { name: "lookup_order", parameters: { orderId: "ORD-12345" } };
  const request = { input: "Where is it?", script: { turns: [{ toolCalls: [call] }, { text: "It is shipped." }] } };
  start = { workspaceId, keyId: null, keyRouting: undefined, agent, request };
  // The endpoint is new to the workspace: the first call writes that down.
  await runToEnd();
});
afterEach(async () => {
  await composed.close();
  handler.close();
  handler.closeAllConnections();
  await rm(dataDir, { recursive: true, force: true });
});

const { signal } = new AbortController();

async function runToEnd(): Promise<void> {
  const execution = await composed.executions.startAndWait(start, 10_000, signal);
  expect(execution).toMatchObject({ status: "completed", output: { text: "It is shipped." } });
}

async function followToEnd(): Promise<void> {
  const { events } = await composed.executions.startAndFollow(start, 0, signal);
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  expect(types.at(-1)).toBe("execution.completed");
}

/** The fewest of several runs: the search for lapsed leases commits too, now and then. */
async function fewestCommits(execute: () => Promise<void>): Promise<number> {
  const counts: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const before = commits;
    await execute();
    counts.push(commits - before);
  }
  return Math.min(...counts);
}

it("an execution of two model turns and a call makes three commits when the model replies at once", async () => {
  expect(await fewestCommits(runToEnd)).toBe(3);
});

it("and five with a subscriber, who must not read of a model turn before it is durable", async () => {
  expect(await fewestCommits(followToEnd)).toBe(5);
});
