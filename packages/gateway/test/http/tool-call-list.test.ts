import { pageSchema, type ToolCallSummary, toolCallSummarySchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { calling, execute, expectStatus, makeAgent, start } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

type Query = Record<string, string>;

function describeList(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`the list of tool calls ${place}`, () => {
    let world: World;

    async function list(query: Query = {}, key?: string) {
      const call = { query, ...(key === undefined ? {} : { key }) };
      return pageSchema(toolCallSummarySchema).parse(expectStatus(await world.call("findToolCalls", call), 200));
    }
    const namesOf = async (query: Query) => (await list(query)).data.map(({ name }) => name);

    beforeAll(async () => {
      world = await startWorld(await configure());
      const [good, bad] = [await startHandler(), await startHandler({ status: 410, body: undefined })];
      const tools = [workTool(good.url), workTool(bad.url, { name: "gone" })];
      const { id } = await makeAgent(world, { tools });
      await execute(world, id, calling("work"));
      await execute(world, id, calling("gone"));
      await execute(world, id, calling("invented"));
      const asking = await makeAgent(world, { name: "asking", tools, policy: { approval: "always" } });
      await start(world, asking.id, calling("gone"));
      await vi.waitFor(async () => expect(await namesOf({ status: "waiting_approval" })).toEqual(["gone"]), {
        timeout: 20_000,
      });
    }, 60_000);
    afterAll(() => world?.stop());

    it("has each call once, newest first, in pages", async () => {
      const all: ToolCallSummary[] = [];
      let cursor: string | null = null;
      do {
        const page = await list({ limit: "1", ...(cursor === null ? {} : { cursor }) });
        all.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(all.map(({ name, status }) => [name, status])).toEqual([
        ["gone", "waiting_approval"],
        ["(unknown)", "failed"],
        ["gone", "failed"],
        ["work", "completed"],
      ]);
      for (const { id, ...summary } of all) {
        const { body } = await world.call("getToolCall", { params: { id } });
        const { status, executionId, requestedAt, finishedAt } = summary;
        expect(body).toMatchObject({ status, executionId, requestedAt, finishedAt });
      }
    });

    it.each<[Query, readonly string[]]>([
      [{ status: "completed" }, ["work"]],
      [{ tool: "gone" }, ["gone", "gone"]],
      [{ tool: "gone", status: "failed" }, ["gone"]],
      [{ tool: "(unknown)" }, ["(unknown)"]],
      [{ code: "TIMEOUT" }, []],
      [{ status: "failed", tool: "work" }, []],
    ])("matches %o", async (query, names) => {
      expect(await namesOf(query)).toEqual(names);
    });

    it("matches the code that the record has", async () => {
      const [failed] = (await list({ tool: "gone", status: "failed" })).data;
      const { body } = await world.call("getToolCall", { params: { id: failed?.id ?? "" } });
      expect(body).toMatchObject({ error: { code: failed?.code } });
      expect((await list({ code: failed?.code ?? "" })).data).toEqual([failed]);
    });

    it("contains nothing of another workspace", async () => {
      const { key } = await world.makeWorkspace("other");
      expect((await list({}, key)).data).toEqual([]);
    });

    it.each<[string, Query, string]>([
      ["an unknown status", { status: "lost" }, "status"],
      ["what is no code", { code: "a b" }, "code"],
      ["an empty name", { tool: "" }, "tool"],
      ["an unknown filter", { name: "work" }, "name"],
    ])("refuses %s", async (_what, query, path) => {
      const { status, body } = await world.call("findToolCalls", { query });
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(path)]);
    });
  });
}

describeList("on SQLite", async () => ({}));
describe.skipIf(!hasPostgres())("with PostgreSQL", () => {
  describeList("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});
