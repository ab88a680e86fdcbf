import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CreateExecution, executionSchema, workspaceUsageSchema } from "@yagate/protocol";
import { afterAll, expect, it } from "vitest";
import { RECOUNT_STORED_BYTES } from "../../../../../test/services/stored-bytes.ts";
import { calling, execute, expectStatus, makeAgent, problemOf, saying, start } from "../support/agents.ts";
import { startHandler, workTool } from "../support/handler.ts";
import { startWorld } from "../support/world.ts";

const LIMIT = 50_000;
const world = await startWorld({ plans: { small: { storedBytes: LIMIT }, boundless: { storedBytes: null } } });
afterAll(() => world.stop());

const large: CreateExecution = { input: "x".repeat(40_000), script: { turns: [{ text: "y".repeat(20_000) }] } };

/** Counted from the rows. */
function recount(workspaceId: string): unknown {
  const eventStore = new DatabaseSync(join(world.dataDir, "journal.db"), { readOnly: true });
  const rows = eventStore.prepare(RECOUNT_STORED_BYTES).all();
  eventStore.close();
  return rows.find((row) => row["workspace_id"] === workspaceId)?.["bytes"];
}

it("a workspace that is full begins nothing, and what it has begun goes on to its end", async () => {
  const tenant = await world.makeWorkspace("full");
  const { key, workspaceId } = tenant;
  const setPlan = async (plan: string) =>
    expectStatus(await world.call("updateWorkspace", { params: { id: workspaceId }, body: { plan } }), 200);
  const usage = async () => {
    const { quotas } = workspaceUsageSchema.parse(expectStatus(await world.call("getUsage", { key }), 200));
    return quotas["storedBytes"];
  };
  const refused = { code: "QUOTA_EXCEEDED", quota: "storedBytes", limit: LIMIT };

  const handler = await startHandler({ isHeld: true });
  const agent = await makeAgent(world, { tools: [workTool(handler.url)] }, tenant);
  expectStatus(
    await world.call("putSecret", { key, params: { name: "KEY" }, body: { value: "a-secret-of-some-length" } }),
    200,
  );
  await setPlan("small");
  const running = await start(world, agent.id, calling("work"), tenant);
  await handler.called(1);
  const headers = { "idempotency-key": "large-one" };
  const begun = await execute(world, agent.id, large, { key, headers });
  await expect.poll(async () => (await usage())?.used).toBeGreaterThan(60_000);
  const now = await usage();
  expect(now).toMatchObject({ limit: LIMIT, countedBy: "workspace" });
  expect(now?.used).toBe(recount(workspaceId));
  expect(Math.abs(Date.now() - Date.parse(now?.asOf ?? ""))).toBeLessThan(60_000);

  const asked = {
    execution: await world.call("executeAgent", { key, params: { id: agent.id }, body: saying("hi") }),
    agent: await world.call("createAgent", { key, body: { name: "another", model: "scripted/turns" } }),
    secret: await world.call("putSecret", {
      key,
      params: { name: "OTHER" },
      body: { value: "a-secret-of-some-length" },
    }),
    tool: await world.call("createTool", {
      key,
      body: {
        definition: { rest: { name: "orders", description: "Orders.", method: "GET", url: "https://shop.example/o" } },
      },
    }),
  };
  for (const [what, answer] of Object.entries(asked)) {
    expect([what, answer.status]).toEqual([what, 429]);
    expect(problemOf(answer)).toMatchObject({ ...refused, used: now?.used });
    expect(answer.headers.get("retry-after")).toBeNull();
  }
  // What is there can be repeated and changed, and goes on.
  const again = await world.call("executeAgent", { key, headers, params: { id: agent.id }, body: large });
  expect(executionSchema.parse(again.body).id).toBe(begun.id);
  expectStatus(
    await world.call("putSecret", { key, params: { name: "KEY" }, body: { value: "another-secret-of-length" } }),
    200,
  );
  handler.release();
  const params = { id: running.id };
  const ended = async () => executionSchema.parse((await world.call("getExecution", { key, params })).body).status;
  await expect.poll(ended).toBe("completed");

  const metrics = String((await world.call("getMetrics")).body);
  expect(Number(/^yagate_stored_bytes (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(60_000);
  expect(metrics).toMatch(/yagate_quota_refusals_total\{quota="storedBytes"\} 4/);
  await setPlan("boundless");
  expect(await usage()).toMatchObject({ limit: null });
  await start(world, agent.id, saying("hi"), tenant);
});
