import { createServer } from "node:http";
import { createHandler, defineTool } from "@yagate/handler";
import { toNodeListener } from "@yagate/handler/node";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../services/listen-on-loopback.ts";
import { type MeasuredGateway, startMeasuredGateway } from "./support/measured-gateway.ts";

const MOST = 2_000;
const NAMED = 20;
const EXECUTIONS = 50;
/** Processor time of one sync. Measured: 420 ms. */
const SYNC_MS = 2_000;
/** What a sync of 2,000 tools may add to the memory. Measured: 16 MiB. */
const GROWN_MIB = 200;
/** What 100 syncs may leave behind. Measured: nothing. */
const KEPT_MIB = 20;
/** How much more processor time an execution may need for tools of the source than for its own. Measured: no more. */
const MORE_MS = 50;

async function startService(secret: string) {
  const service = { description: "First." };
  const toolsNow = () =>
    Array.from({ length: MOST }, (_, index) =>
      defineTool({
        ...{ name: `tool_${index}`, description: service.description, sideEffect: "read_only" },
        parameters: { type: "object", properties: { orderId: { type: "string", description: "such as ORD-7" } } },
        execute: () => ({ done: true }),
      }),
    );
  let handle = toNodeListener(createHandler({ secrets: [secret], tools: toolsNow() }));
  const server = createServer((request, response) => handle(request, response));
  const url = `${await listenOnLoopback(server)}/tools`;
  return {
    url,
    publish(description: string) {
      service.description = description;
      handle = toNodeListener(createHandler({ secrets: [secret], tools: toolsNow() }));
    },
  };
}

/** Processor time of one execution that calls a tool, in ms. */
async function cpuMsOf(gateway: MeasuredGateway, agentId: string, name: string): Promise<number> {
  const script = { turns: [{ toolCalls: [{ name, parameters: { orderId: "ORD-7" } }] }, { text: "done" }] };
  const execute = () => gateway.client.agents.execute(agentId, { input: "go", script });
  expect(await execute()).toMatchObject({ status: "completed", output: { text: "done" } });
  const { cpuMs } = await gateway.growthWhile(async () => {
    for (let count = 0; count < EXECUTIONS; count += 1) await execute();
  });
  return cpuMs / EXECUTIONS;
}

it("a source of 2,000 tools is synced quickly, in bounded memory, 20 of them do not slow executions down, and a model finds one of all", {
  timeout: 240_000,
}, async () => {
  const gateway = await startMeasuredGateway();
  onTestFinished(() => gateway.stop());
  const { client } = gateway;
  const service = await startService(gateway.secret);
  const source = await client.sources.create({ name: "large", kind: "handler", url: service.url, accept: "all" });
  expect(source.toolCounts).toMatchObject({ published: MOST, accepted: MOST });

  service.publish("Second.");
  const sync = await gateway.growthWhile(() => client.sources.sync(source.id));
  expect(sync.result).toMatchObject({ status: "changed", toolCounts: { published: MOST, held: MOST } });
  expect(sync.cpuMs).toBeLessThan(SYNC_MS);
  expect(sync.grownMiB).toBeLessThan(GROWN_MIB);
  service.publish("First.");
  expect(await client.sources.sync(source.id)).toMatchObject({ status: "ready" });

  const kept = await gateway.keptMiB();
  for (let count = 0; count < 100; count += 1) await client.sources.sync(source.id);
  // What is still in use just now, such as a response that is being sent, is not kept.
  const readings: number[] = [];
  for (let count = 0; count < 5; count += 1) readings.push(await gateway.keptMiB());
  const keptMiB = Math.min(...readings) - kept;
  expect(keptMiB).toBeLessThan(KEPT_MIB);

  const names = Array.from({ length: NAMED }, (_, index) => `tool_${index}`);
  const own = names.map((name) => ({
    ...{ name, description: "First.", handler: service.url, sideEffect: "read_only" as const },
    parameters: { type: "object", properties: { orderId: { type: "string", description: "such as ORD-7" } } },
  }));
  const withSource = await client.agents.create({
    ...{ name: "Source", model: "scripted/turns", tools: [{ source: "large", tools: names }] },
  });
  const withOwn = await client.agents.create({ name: "Own", model: "scripted/turns", tools: own });
  const ownMs = await cpuMsOf(gateway, withOwn.id, "tool_7");
  const sourceMs = await cpuMsOf(gateway, withSource.id, "large.tool_7");
  expect(sourceMs - ownMs).toBeLessThan(MORE_MS);

  const all = { name: "All", model: "scripted/turns", tools: [{ source: "large" }] };
  await expect(client.agents.create(all)).rejects.toMatchObject({
    fieldErrors: [{ code: "TOO_MANY_TOOLS", message: expect.stringContaining(`large ${MOST}`) }],
  });
  const searching = await client.agents.create({ ...all, toolSearch: {} });
  const found = await client.agents.execute(searching.id, {
    input: "go",
    script: {
      turns: [
        { toolCalls: [{ name: "tool_search", parameters: { query: "large.tool_1234" } }] },
        { toolCalls: [{ name: "large.tool_1234", parameters: { orderId: "ORD-7" } }] },
        { text: "done" },
      ],
    },
  });
  expect(found).toMatchObject({ status: "completed", output: { text: "done" }, usage: { toolCalls: 2 } });
  const measured = { syncCpuMs: sync.cpuMs, grownMiB: sync.grownMiB, keptMiB, ownMs, sourceMs };
  process.stdout.write(`\n${JSON.stringify(measured)}\n`);
});
