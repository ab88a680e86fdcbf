import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { calling, execute, makeAgent, start } from "../../packages/gateway/test/http/support/agents.ts";
import { startHandler, workTool } from "../../packages/gateway/test/http/support/handler.ts";
import { startWorld } from "../../packages/gateway/test/http/support/world.ts";
import { createLeaseMetrics } from "../../packages/telemetry/src/metrics/lease-metrics.ts";
import { createStateMetrics } from "../../packages/telemetry/src/metrics/state-metrics.ts";
import { parseMetrics } from "../../packages/telemetry/test/support/parse-metrics.ts";
import { createWorld } from "../../packages/webhooks/test/support/dispatch-world.ts";
import { startReplier } from "../../packages/webhooks/test/support/handler-server.ts";
import { tableRows } from "./page-tables.ts";

/** Gauges that the page says are never 0, or whose other value the second test or a file of their own shows. */
const ELSEWHERE = new Set([
  "yagate_build_info",
  "yagate_execution_places",
  // packages/gateway/test/http/quotas/stored-bytes.test.ts
  "yagate_stored_bytes",
  // packages/gateway/test/telemetry/tool-source-metrics.test.ts
  "yagate_tool_sources ready",
  "yagate_tool_sources changed",
  "yagate_tool_sources unreachable",
  "yagate_tool_sources unauthorized",
  "yagate_tool_source_held",
  "yagate_tool_source_oldest_sync_seconds",
  // packages/telemetry/test/state-metrics.test.ts
  "yagate_store_up",
  "yagate_lease_held",
  "yagate_endpoints half_open",
]);

/** Every gauge of the page, with each value of its label: "yagate_executions pending". */
const gauges = tableRows("docs/telemetry-reference.md", ["metric", "type", "labels", "meaning"])
  .filter(({ type }) => type === "gauge")
  .flatMap(({ metric = "", labels = "" }) => {
    const [, ...values] = [...labels.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
    return values.length === 0 ? [metric] : values.map((value) => `${metric} ${value}`);
  })
  .filter((gauge) => !ELSEWHERE.has(gauge));

/** The values of a text of metrics by gauge, as in the list above. */
function readGauges(text: string): ReadonlyMap<string, number> {
  const samples = [...parseMetrics(text).values()].flatMap((family) => family.samples);
  return new Map(samples.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(" "), value]));
}

it("every gauge is 0 without anything to count, and more with it", { timeout: 30_000 }, async () => {
  const world = await startWorld({ logLevel: "silent", maxConcurrentExecutions: 2, endpointConcurrency: 1 });
  onTestFinished(() => world.stop());
  const scrape = async () => readGauges(String((await world.call("getMetrics")).body));
  const [gone, failing, held, alsoHeld] = await Promise.all([
    startHandler({ status: 410, body: undefined }),
    startHandler({ status: 503, body: undefined }),
    startHandler({ isHeld: true }),
    startHandler({ isHeld: true }),
  ]);
  const agentOf = (url: string, key = world.key) => makeAgent(world, { tools: [workTool(url)] }, { key });
  const before = await scrape();
  expect(gauges.filter((gauge) => before.get(gauge) !== 0)).toEqual([]);

  await execute(world, (await agentOf(gone.url)).id, calling("work"));
  const tenCalls = { toolCalls: Array.from({ length: 10 }, () => ({ name: "work", parameters: {} })) };
  const failed = await agentOf(failing.url);
  await execute(world, failed.id, { input: "hello", script: { turns: [tenCalls, { text: "done" }] } });
  const { id: busy } = await agentOf(held.url);
  const first = await start(world, busy, calling("work"));
  const stream = await world.open("followExecution", { params: { id: first.id } });
  await held.called(1);
  // Waits for a slot of the handler, and holds no place.
  await start(world, busy, calling("work"));
  await expect.poll(async () => (await scrape()).get("yagate_executions waiting")).toBe(1);
  const { id: other } = await agentOf(alsoHeld.url);
  await start(world, other, calling("work"));
  await alsoHeld.called(1);
  await start(world, other, calling("work"));
  // Another workspace, whose share the first one has taken.
  const { key } = await world.makeWorkspace("other");
  const tenantHandler = await startHandler({ isHeld: true });
  await start(world, (await agentOf(tenantHandler.url, key)).id, calling("work"), { key });

  const isMore = (values: ReadonlyMap<string, number>) => gauges.filter((gauge) => (values.get(gauge) ?? 0) > 0);
  await expect.poll(async () => isMore(await scrape())).toEqual(gauges);
  const peak = await scrape();
  expect(peak.get("yagate_execution_places")).toBe(2);
  expect(peak.get("yagate_endpoints_disabled")).toBe(1);
  expect(peak.get("yagate_endpoints open")).toBe(1);
  expect(peak.get("yagate_execution_workspaces above_share")).toBe(1);
  for (const handler of [held, alsoHeld, tenantHandler]) handler.release();
  await stream.body?.cancel();
  // The process remembers its endpoints and their state.
  await expect
    .poll(async () => isMore(await scrape()).filter((gauge) => !/^yagate_endpoints[ _](?!q)/.test(gauge)))
    .toEqual([]);
});

it("an endpoint whose pause is over is half open, and neither open nor closed", async () => {
  let now = 1_000;
  const world = await createWorld({ monotonicNow: () => now });
  const handler = await startReplier({ status: 503 });
  const registry = new Registry();
  createStateMetrics(
    registry,
    {
      executions: () => expect.fail("only endpoints are read"),
      endpoints: () => world.endpoints.totals(),
      ping: () => Promise.resolve(),
    },
    () => now,
  );
  const circuits = async () => {
    const values = readGauges(`${await registry.getSingleMetricAsString("yagate_endpoints")}\n`);
    return ["closed", "open", "half_open"].map((circuit) => values.get(`yagate_endpoints ${circuit}`));
  };
  await world.attempt(handler.url);
  expect(await circuits()).toEqual([1, 0, 0]);
  for (let count = 1; count < 10; count += 1) await world.attempt(handler.url);
  expect(await circuits()).toEqual([0, 1, 0]);
  now += 30_000;
  expect(await circuits()).toEqual([0, 0, 1]);
});

it("a lease is held until the end of its time, and a renewal after that counts as a lapse", async () => {
  let now = 1_000;
  const registry = new Registry();
  const aroundRenewal = createLeaseMetrics(registry, { leaseMs: 10_000, monotonicNow: () => now });
  const read = async () => {
    const values = readGauges(await registry.metrics());
    const names = ["held", "renewals_total ok", "renewals_total failed", "lapses_total"];
    return names.map((name) => values.get(`yagate_lease_${name}`));
  };
  expect(await read()).toEqual([0, 0, 0, 0]);
  await aroundRenewal(() => Promise.resolve());
  expect(await read()).toEqual([1, 1, 0, 0]);
  now += 9_999;
  expect(await read()).toEqual([1, 1, 0, 0]);
  await expect(aroundRenewal(() => Promise.reject(new Error("no database")))).rejects.toThrow("no database");
  expect(await read()).toEqual([1, 1, 1, 0]);
  now += 1;
  expect(await read()).toEqual([0, 1, 1, 0]);
  now += 1;
  await aroundRenewal(() => Promise.resolve());
  expect(await read()).toEqual([1, 2, 1, 1]);
  now += 3_000;
  await aroundRenewal(() => Promise.resolve());
  expect(await read()).toEqual([1, 3, 1, 1]);
});
