import { Registry } from "prom-client";
import { afterAll, expect, it } from "vitest";
import { createToolSourceMetrics, type ToolSourceTotals } from "../../../telemetry/src/metrics/tool-source-metrics.ts";
import { parseMetrics } from "../../../telemetry/test/support/parse-metrics.ts";
import { describedTool } from "../http/support/describing-handler.ts";
import { startToolSourceWorld } from "../http/support/tool-source-world.ts";

const world = await startToolSourceWorld({ logLevel: "silent" });
afterAll(() => world.stop());

/** The samples of tool sources by name and label. */
function readSamples(text: string): Readonly<Record<string, number>> {
  const families = [...parseMetrics(text).values()].flatMap(({ samples }) => samples);
  const own = families.filter(({ name }) => name.startsWith("yagate_tool_source"));
  return Object.fromEntries(
    own.map(({ name, labels, value }) => [
      [name.slice("yagate_tool_source".length), ...Object.values(labels)].join(" "),
      value,
    ]),
  );
}

it("a gateway reports its sources, their held tools and their syncs", async () => {
  const handler = await world.startHandler([describedTool("lookup"), describedTool("refund")]);
  await world.makeSource(handler, { accept: "all" });
  await world.makeSource(handler);
  await world.makeSource({ url: "http://127.0.0.1:9/tools" });
  const refusing = await world.startHandler([]);
  refusing.other = { status: 401 };
  await world.makeSource(refusing);
  const samples = readSamples(String((await world.call("getMetrics")).body));
  expect(samples).toMatchObject({
    ...{ "s ready": 1, "s changed": 1, "s unreachable": 1, "s unauthorized": 1 },
    ...{ "_syncs_total ready": 1, "_syncs_total changed": 1, "_syncs_total unreachable": 1 },
    ...{ "_syncs_total unauthorized": 1, "_syncs_total failed": 0, _held: 2 },
  });
});

it("the gauges share one read, and keep their values while the store is unavailable", async () => {
  let now = 100_000;
  let reads = 0;
  let totals: Promise<ToolSourceTotals> = Promise.resolve({
    ...{ byStatus: new Map([["ready", 3]]), held: 7, oldestSyncAt: 40_000 },
  });
  const registry = new Registry();
  const metrics = createToolSourceMetrics(registry, () => now);
  metrics.watch(() => {
    reads += 1;
    return totals;
  });
  const scrape = async () => readSamples(await registry.metrics());
  const expected = { "s ready": 3, "s changed": 0, _held: 7, _oldest_sync_seconds: 60 };
  expect(await scrape()).toMatchObject(expected);
  expect(reads).toBe(1);
  now += 1_000;
  totals = Promise.reject(new Error("no database"));
  expect(await scrape()).toMatchObject(expected);
  expect(reads).toBe(2);
  now += 1_000;
  totals = Promise.resolve({ byStatus: new Map(), held: 0, oldestSyncAt: null });
  expect(await scrape()).toMatchObject({ "s ready": 0, _held: 0, _oldest_sync_seconds: 0 });
});
