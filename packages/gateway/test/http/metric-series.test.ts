import { metricReportSchema } from "@yagate/protocol";
import { afterAll, expect, it } from "vitest";
import { calling, execute, expectStatus, makeAgent } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

async function read(query: Record<string, string> = {}) {
  return metricReportSchema.parse(expectStatus(await world.call("getMetricSeries", { query }), 200));
}

it("reports what executions did, a moment after they ended", async () => {
  const handler = await startHandler();
  const { id } = await makeAgent(world, { tools: [workTool(handler.url)] });
  await execute(world, id, calling("work"));
  await expect.poll(async () => (await read()).series.map(({ metric }) => metric)).toContain("callAttempts");
  const found = await world.call("listExecutions", { query: { tool: "work" } });
  expect(found).toMatchObject({ status: 200, body: { data: [{ agentId: id }] } });
  expect(await world.call("listExecutions", { query: { tool: "rest" } })).toMatchObject({ body: { data: [] } });
  const { series, stepSeconds, isPartial } = await read({ range: "1h" });
  expect([stepSeconds, isPartial]).toEqual([300, false]);
  expect(series).toContainEqual(
    expect.objectContaining({ metric: "executions", label: "completed", unit: "executions" }),
  );
  const ofTool = { label: "work", total: expect.objectContaining({ count: 1 }) };
  expect(series).toContainEqual(expect.objectContaining({ metric: "toolDuration", kind: "distribution", ...ofTool }));
  expect((await read({ metric: "callAttempts", range: "7d" })).series).toMatchObject([
    { label: "work", total: { count: 1, mean: 1, p50: 1 } },
  ]);
});

it.each([{ range: "2h" }, { metric: "everything" }, { from: "now" }])("refuses the query %o", async (query) => {
  expect(await world.call("getMetricSeries", { query })).toMatchObject({ status: 422 });
});
