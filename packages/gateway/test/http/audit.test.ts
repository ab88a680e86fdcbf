import {
  type AuditEntry,
  approvalSchema,
  auditEntrySchema,
  JSON_LINES_TYPE,
  MAX_AUDITED_BYTES,
  pageSchema,
} from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { calling, expectStatus, makeAgent, problemOf, start } from "./support/agents.ts";
import type { Call } from "./support/api-caller.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

type Query = Record<string, string>;

function describeAudit(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`the audit log ${place}`, () => {
    let world: World;
    let tenant: { readonly workspaceId: string; readonly key: string };
    beforeAll(async () => {
      world = await startWorld({ trustProxy: 1, ...(await configure()) });
      tenant = await world.makeWorkspace("tenant");
    });
    afterAll(() => world?.stop());

    const page = async (query: Query = {}, call: Call = {}) => {
      const answer = await world.call("listAuditEntries", { key: tenant.key, ...call, query });
      return pageSchema(auditEntrySchema).parse(expectStatus(answer, 200));
    };
    const lines = async (query: Query = {}): Promise<readonly AuditEntry[]> => {
      const headers = { accept: JSON_LINES_TYPE };
      const answer = await world.call("listAuditEntries", { key: tenant.key, query, headers });
      expect(answer.headers.get("content-type")).toBe(JSON_LINES_TYPE);
      const text = String(expectStatus(answer, 200));
      expect(text.endsWith("\n")).toBe(true);
      return text
        .split("\n")
        .slice(0, -1)
        .map((line) => auditEntrySchema.parse(JSON.parse(line)));
    };

    it("names the key, its name then, and the address that the proxy saw", async () => {
      const key = await world.makeKey(["secrets"], tenant.workspaceId);
      const headers = { "x-forwarded-for": "1.1.1.1, 203.0.113.9" };
      const params = { name: "OPENAI_KEY" };
      await world.call("putSecret", { key: key.text, params, headers, body: { value: "sk-the-first-one" } });
      await world.call("putSecret", {
        ...{ key: key.text, params, headers },
        body: { value: "sk-the-second-one", hosts: ["api.openai.com"] },
      });
      const { data } = await page({ resourceId: "OPENAI_KEY" });
      expect(data[0]).toMatchObject({
        workspaceId: tenant.workspaceId,
        actor: { type: "api_key", keyId: key.id, keyName: "test", workspaceId: tenant.workspaceId },
        address: "203.0.113.9",
        action: "secret.set",
        before: { name: "OPENAI_KEY", hosts: [] },
        after: { name: "OPENAI_KEY", hosts: ["api.openai.com"] },
      });
      expect(data[1]).toMatchObject({ before: null });
      expect(JSON.stringify(data)).not.toContain("sk-the");
    });

    it("is read in pages and exported as lines, newest first, without a gap", async () => {
      for (let count = 0; count < 7; count += 1) await makeAgent(world, { name: `a${count}` }, { key: tenant.key });
      const read: AuditEntry[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const one: Awaited<ReturnType<typeof page>> = await page({
          ...{ limit: "3", action: "agent.created" },
          ...(cursor === "" ? {} : { cursor }),
        });
        read.push(...one.data);
        cursor = one.nextCursor;
      }
      expect(read.map(({ resource }) => resource.name)).toEqual(["a6", "a5", "a4", "a3", "a2", "a1", "a0"]);
      expect(await lines({ action: "agent.created" })).toEqual(read);
      expect(await lines({ action: "agent.created", limit: "2" })).toEqual(read.slice(0, 2));
      const none = { key: tenant.key, query: { action: "nothing.happened" }, headers: { accept: JSON_LINES_TYPE } };
      expect(await (await world.open("listAuditEntries", none)).text()).toBe("");
    });

    it("is filtered by action, resource, key and time", async () => {
      const key = await world.makeKey(["agents"], tenant.workspaceId);
      const agent = await makeAgent(world, { name: "filtered" }, { key: key.text });
      const byKey = await page({ keyId: key.id });
      expect(byKey.data.map(({ resource }) => resource.id)).toEqual([agent.id]);
      const at = byKey.data[0]?.at ?? "";
      const ids = async (query: Query) => (await page(query)).data.map(({ resource }) => resource.id);
      expect(await ids({ resourceType: "agent", resourceId: agent.id })).toEqual([agent.id]);
      expect(await ids({ resourceType: "tool", resourceId: agent.id })).toEqual([]);
      expect(await ids({ keyId: key.id, since: at })).toEqual([agent.id]);
      expect(await ids({ keyId: key.id, until: at })).toEqual([]);
      expect(await ids({ since: new Date(Date.parse(at) + 60_000).toISOString() })).toEqual([]);
    });

    it("tells a state that is too large by its size and hash", async () => {
      const systemPrompt = "x".repeat(MAX_AUDITED_BYTES);
      const agent = await makeAgent(world, { systemPrompt }, { key: tenant.key });
      const { data } = await page({ resourceId: agent.id });
      expect(data[0]?.after).toEqual({
        omitted: "too_large",
        bytes: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    });

    it("is an admin's alone, of their own workspace alone, unless they are an operator", async () => {
      const key = await world.makeKey(["agents", "secrets", "operations"], tenant.workspaceId);
      expect((await world.call("listAuditEntries", { key: key.text })).status).toBe(403);
      const other = await world.makeWorkspace("other");
      const query = { workspaceId: tenant.workspaceId };
      expect(problemOf(await world.call("listAuditEntries", { key: other.key, query }))).toMatchObject({ status: 404 });
      expect((await page({}, { key: other.key })).data.map(({ workspaceId }) => workspaceId)).toEqual(
        expect.not.arrayContaining([tenant.workspaceId]),
      );
      expect((await page({ workspaceId: tenant.workspaceId }, { key: world.key })).data).not.toEqual([]);
    });

    it("shows where an operator connects from to operators alone", async () => {
      await world.makeKey(["agents"], tenant.workspaceId);
      const made = { action: "api_key.created", limit: "1" };
      expect((await page(made)).data).toMatchObject([{ actor: { type: "bootstrap" }, address: null }]);
      expect(await lines(made)).toMatchObject([{ actor: { type: "bootstrap" }, address: null }]);
      const asOperator = await page({ ...made, workspaceId: tenant.workspaceId }, { key: world.key });
      expect(asOperator.data).toMatchObject([{ address: "127.0.0.1" }]);
    });

    it.each<[string, Query, string]>([
      ["a cursor of another list", { cursor: Buffer.from('"agt_1"').toString("base64url") }, ""],
      ["a moment that is none", { since: "yesterday" }, "since"],
      ["an unknown filter", { tpyo: "1" }, "tpyo"],
    ])("refuses %s", async (_what, query, path) => {
      const answer = await world.call("listAuditEntries", { key: tenant.key, query });
      expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
      if (path !== "") expect(problemOf(answer).errors?.map((error) => error.path)).toEqual([path]);
    });

    it("tells of commands to executions in the commit of the command: once, however many ask for it", async () => {
      const handler = await startHandler();
      const tools = [workTool(handler.url, { sideEffect: "destructive" })];
      const agent = await makeAgent(world, { tools }, { key: tenant.key });
      const approver = await world.makeKey(["approvals", "executions"], tenant.workspaceId);
      const { id } = await start(world, agent.id, calling("work"), { key: tenant.key });
      const follow = { params: { id }, key: tenant.key };
      const reader = new EventReader(await world.open("followExecution", follow));
      await reader.until("execution.waiting");
      await reader.leave();
      const asked = await world.call("listApprovals", { key: approver.text, query: { status: "pending" } });
      const [approval] = pageSchema(approvalSchema).parse(asked.body).data;
      const params = { id: approval?.id ?? "" };
      const answers = await Promise.all(
        ["approve", "deny", "approve", "deny"].map((name) => world.call(name, { key: approver.text, params })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      const decided = (await page({ resourceId: params.id })).data;
      expect(decided).toHaveLength(1);
      expect(decided[0]).toMatchObject({ actor: { keyId: approver.id }, before: { status: "pending" } });

      const other = await start(world, agent.id, calling("work"), { key: tenant.key });
      const cancel = { key: approver.text, params: { id: other.id } };
      for (const _time of ["first", "again"]) {
        expect((await world.call("cancelExecution", cancel)).status).toBe(202);
      }
      const cancelled = (await page({ resourceId: other.id })).data;
      expect(cancelled).toMatchObject([{ action: "execution.cancelled", after: { isCancelRequested: true } }]);
    });

    it("says that a start made the workspace default", async () => {
      const { data } = await page({ action: "workspace.created" }, { key: world.key });
      expect(data.at(-1)).toMatchObject({
        actor: { type: "operator", keyId: null, workspaceId: null },
        address: null,
        requestId: null,
        resource: { type: "workspace", name: "default" },
      });
    });
  });
}

describeAudit("on SQLite", async () => ({}));

describe.skipIf(!hasPostgres())("with a PostgreSQL", () => {
  describeAudit("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));
});
