import { type Execution, executionSchema, pageSchema } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { expectStatus, fieldsOf, makeAgent } from "./support/agents.ts";
import { startWorld, type World } from "./support/world.ts";

type Query = Record<string, string>;

function describeFilters(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`filters of executions ${place}`, () => {
    let world: World;
    const agents: Record<string, string> = {};
    const made: Record<string, Execution> = {};

    async function run(name: string, agent: string, metadata?: object, text = "Done.", limits?: object): Promise<void> {
      // A limit ends what would go on.
      const more = limits === undefined ? {} : { toolCalls: [{ name: "lookup", parameters: {} }] };
      const turns = agent === "broken" ? {} : { script: { turns: [{ text, ...more }, { text: "Done." }] } };
      const body = { input: name, ...turns, limits: limits ?? {}, ...(metadata === undefined ? {} : { metadata }) };
      const call = { params: { id: agents[agent] ?? "" }, headers: { prefer: "wait=20" }, body };
      made[name] = executionSchema.parse(expectStatus(await world.call("executeAgent", call), 201));
    }

    async function list(query: Query) {
      return pageSchema(executionSchema).parse(expectStatus(await world.call("listExecutions", { query }), 200));
    }
    const namesOf = async (query: Query) => (await list(query)).data.map(({ input }) => input);

    beforeAll(async () => {
      world = await startWorld(await configure());
      agents["shop"] = (await makeAgent(world, { name: "shop", model: "scripted/turns" })).id;
      agents["other"] = (await makeAgent(world, { name: "other", model: "scripted/turns" })).id;
      agents["broken"] = (await makeAgent(world, { name: "broken", model: "anthropic/claude-sonnet-4" })).id;
      await run("first", "shop", { orderId: "ORD-1", env: "prod" });
      await run("second", "shop", { orderId: "ORD-2", env: "prod", nested: { orderId: "ORD-9" }, n: 1 });
      await run("failed", "broken", { orderId: "ORD-1", "a.b": "ünïcode \u{1f600}" });
      await run("plain", "other");
      const long = "x".repeat(10_000);
      await run("odd", "other", { orderId: "ORD-3", long, nul: "a\u0000b", note: '"metadata":{"orderId":"ORD-8"}' });
      await run("large", "shop", { orderId: "ORD-4", env: "test" });
    }, 60_000);
    afterAll(() => world?.stop());

    it("by one or several parts, newest first", async () => {
      const shop = { agent: agents["shop"] ?? "" };
      expect(await namesOf({})).toEqual(["large", "odd", "plain", "failed", "second", "first"]);
      expect(await namesOf(shop)).toEqual(["large", "second", "first"]);
      expect(await namesOf({ status: "failed" })).toEqual(["failed"]);
      expect(await namesOf({ status: "completed", ...shop })).toEqual(["large", "second", "first"]);
      expect(await namesOf({ status: "running" })).toEqual([]);
      expect(await namesOf({ code: "NOT_CONFIGURED" })).toEqual(["failed"]);
      expect(await namesOf({ code: "MODEL_ERROR" })).toEqual([]);
      expect(await namesOf({ tool: "lookup" })).toEqual([]);
      expect(await namesOf({ "metadata.env": "prod" })).toEqual(["second", "first"]);
      expect(await namesOf({ "metadata.orderId": "ORD-1" })).toEqual(["failed", "first"]);
      expect(await namesOf({ "metadata.orderId": "ORD-1", "metadata.env": "prod" })).toEqual(["first"]);
      expect(await namesOf({ "metadata.orderId": "ORD-1", status: "failed", code: "NOT_CONFIGURED" })).toEqual([
        "failed",
      ]);
      expect(await namesOf({ "metadata.a.b": "ünïcode \u{1f600}" })).toEqual(["failed"]);
      expect(await namesOf({ "metadata.long": "x".repeat(10_000) })).toEqual(["odd"]);
    });

    it("by strings at the top of the metadata alone", async () => {
      expect(await namesOf({ "metadata.orderId": "ORD-9" })).toEqual([]);
      expect(await namesOf({ "metadata.orderId": "ORD-8" })).toEqual([]);
      expect(await namesOf({ "metadata.n": "1" })).toEqual([]);
      expect(await namesOf({ "metadata.orderId": "ORD-3" })).toEqual(["odd"]);
    });

    it("by the time of creation, from its first moment up to its last", async () => {
      const { createdAt = "" } = made["failed"] ?? {};
      const next = new Date(Date.parse(createdAt) + 1).toISOString();
      expect(await namesOf({ since: createdAt })).toEqual(["large", "odd", "plain", "failed"]);
      expect(await namesOf({ since: createdAt, until: next })).toEqual(["failed"]);
      const anHourAhead = new Date(Date.parse(createdAt) + 3_600_000).toISOString().replace("Z", "+01:00");
      expect(await namesOf({ since: anHourAhead, until: next })).toEqual(["failed"]);
      expect(await namesOf({ until: createdAt })).toEqual(["second", "first"]);
      expect(await namesOf({ until: createdAt, "metadata.orderId": "ORD-1" })).toEqual(["first"]);
      expect(await namesOf({ since: "2099-01-01T00:00:00Z" })).toEqual([]);
    });

    it.each<[string, Query]>([
      ["an agent", { agent: "shop" }],
      ["a status", { status: "completed" }],
      ["metadata", { "metadata.env": "prod" }],
    ])("keep their pages by %s while new ones come", async (what, query) => {
      const filter = query["agent"] === undefined ? query : { agent: agents["shop"] ?? "" };
      const all = await namesOf(filter);
      const seen: unknown[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page = await list({ ...filter, limit: "1", ...(cursor === "" ? {} : { cursor }) });
        seen.push(...page.data.map(({ input }) => input));
        cursor = page.nextCursor;
        if (seen.length === 1) await run(`later, by ${what}`, "shop", { env: "prod" });
      }
      expect(seen).toEqual(all);
    });

    it("by the reason of their end", async () => {
      const env = "stops";
      const long = "x".repeat(40_000);
      await run("silent", "shop", { env }, "");
      await run("costly", "shop", { env }, `"stopReason":"empty" ${long}`, { maxTotalTokens: 5 });
      await run("final", "other", { env }, `{"stopReason":"empty"} ${long}`);
      await run("broken", "broken", { env });
      const ofStops = (stopReason: string) => namesOf({ stopReason, "metadata.env": env });
      expect(await namesOf({ stopReason: "empty" })).toEqual(["silent"]);
      expect(await namesOf({ stopReason: "maxTotalTokens" })).toEqual(["costly"]);
      expect(await namesOf({ stopReason: "truncated" })).toEqual([]);
      expect(await ofStops("final")).toEqual(["final"]);
      expect(await ofStops("error")).toEqual(["broken"]);
      expect(await ofStops("cancelled")).toEqual([]);
      expect(await namesOf({ stopReason: "empty", status: "failed" })).toEqual([]);
      expect(await namesOf({ code: "empty" })).toEqual([]);
      expect((await list({ stopReason: "maxTotalTokens" })).data).toMatchObject([{ stopReason: "maxTotalTokens" }]);
    });

    it.each<[string, Query, readonly string[]]>([
      ["an unknown status", { status: "done" }, ["status"]],
      ["what is no agent's id", { agent: "shop" }, ["agent"]],
      ["what is no code", { code: "a b" }, ["code"]],
      ["an unknown stop reason", { stopReason: "maxMoney" }, ["stopReason"]],
      ["what is no moment", { since: "yesterday", until: "2026" }, ["since", "until"]],
      ["an unknown field", { tools: "lookup" }, ["tools"]],
      ["a name that no tool can have", { tool: "no tool" }, ["tool"]],
      ["metadata without a name", { "metadata.": "x", metadata: "y" }, ["metadata.", "metadata"]],
      ["nine names", Object.fromEntries([..."abcdefghi"].map((name) => [`metadata.${name}`, "x"])), ["metadata"]],
      ["a cursor that is none", { cursor: "x", status: "failed" }, ["cursor"]],
    ])("refuse %s", async (_what, query, paths) => {
      const answer = await world.call("listExecutions", { query });
      expect(answer.status).toBe(422);
      expect(fieldsOf(answer).map((field) => field.split(": ")[0])).toEqual(paths);
      const moments = fieldsOf(answer).filter((field) => /^(since|until): /.test(field));
      for (const field of moments) expect(field).toMatch(/: expected an RFC 3339 timestamp such as 2026-/);
    });

    it.each<[string, string, object, Query]>([
      ["in the input", "strip \\u0000 from the text", { escaped: "1" }, { "metadata.escaped": "1" }],
      ["at the input's end", "ends with \\u0000", { escaped: "2" }, { "metadata.escaped": "2" }],
      ["behind one that is escaped", "\\\\u0000", { escaped: "3" }, { "metadata.escaped": "3" }],
      ["as a value", "value", { escaped: "C:\\u0000" }, { "metadata.escaped": "C:\\u0000" }],
      ["beside the character itself", "\\u0000 \u0000\u0000 \\\u0000", { escaped: "5" }, { "metadata.escaped": "5" }],
    ])("beside a backslash and u0000: %s", async (_where, name, metadata, query) => {
      await run(name, "other", metadata);
      expect(await namesOf(query)).toEqual([name]);
    });
  });
}

describeFilters("on SQLite", async () => ({}));

describe.skipIf(!hasPostgres())("with a server", () => {
  describeFilters("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});
