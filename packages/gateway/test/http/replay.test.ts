import {
  approvalSchema,
  auditEntrySchema,
  type CreateExecution,
  createdApiKeySchema,
  type Execution,
  executionSchema,
  executionTokenSchema,
  hasEnded,
  type KeyRouting,
  pageSchema,
  type ReplayRequest,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import type { GatewayConfig } from "../../src/config/gateway-config.ts";
import { calling, execute, expectStatus, makeAgent, problemOf, start, startAsking } from "./support/agents.ts";
import type { Call } from "./support/api-caller.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld, type World } from "./support/world.ts";

/** Calls `work` in each of two model turns, then answers. */
const TWICE: CreateExecution = {
  input: "Where is it?",
  caller: { user: "u_1" },
  metadata: { ticket: "T-7" },
  script: {
    turns: [
      { toolCalls: [{ name: "work", parameters: { step: 1 } }] },
      { toolCalls: [{ name: "work", parameters: { step: 2 } }] },
      { text: "done" },
    ],
  },
};

function describeReplay(place: string, configure: () => Promise<Partial<GatewayConfig>>): void {
  describe(`a replay ${place}`, () => {
    let world: World;

    beforeAll(async () => {
      world = await startWorld({ ...(await configure()), allowSelfApproval: true });
    }, 60_000);
    afterAll(() => world?.stop());

    const ask = (id: string, body: ReplayRequest = {}, call: Call = {}) =>
      world.call("replayExecution", { params: { id }, body, ...call });

    async function replay(id: string, body: ReplayRequest = {}, call: Call = {}): Promise<Execution> {
      const made = executionSchema.parse(expectStatus(await ask(id, body, call), 201));
      const reader = new EventReader(await world.open("followExecution", { params: { id: made.id } }));
      await reader.until("execution.completed", "execution.failed", "approval.requested");
      await reader.leave();
      return executionSchema.parse((await world.call("getExecution", { params: { id: made.id } })).body);
    }

    const callsOf = async (id: string) =>
      pageSchema(toolCallRecordSchema).parse((await world.call("listToolCalls", { params: { id } })).body).data;

    /** Decides on the pending approval of an execution. */
    async function decide(executionId: string, decision: "approve" | "deny"): Promise<string> {
      const list = await world.call("listApprovals", { query: { status: "pending" } });
      const found = pageSchema(approvalSchema)
        .parse(list.body)
        .data.find((approval) => approval.executionId === executionId);
      const { id } = found ?? expect.fail("expected a pending approval");
      expectStatus(await world.call(decision, { params: { id }, body: {} }), 200);
      return id;
    }

    async function untilEnded(id: string): Promise<Execution> {
      const read = async () => executionSchema.parse((await world.call("getExecution", { params: { id } })).body);
      await expect.poll(async () => hasEnded((await read()).status), { timeout: 20_000 }).toBe(true);
      return read();
    }

    it("with recorded tools gets the recorded outcomes under new ids, and sends nothing", async () => {
      const handler = await startHandler({ body: { result: { status: "packed" } } });
      const tools = [workTool(handler.url, { sideEffect: "non_idempotent_write" })];
      const agent = await makeAgent(world, { tools, policy: { approval: "never" } });
      const original = await execute(world, agent.id, TWICE);
      await world.call("updateAgent", { params: { id: agent.id }, body: { systemPrompt: "Another version." } });
      const made = await replay(original.id);
      expect(made).toMatchObject({
        ...{ status: "completed", mode: "recorded", replayOf: original.id, agentVersion: original.agentVersion },
        ...{ input: original.input, metadata: original.metadata, output: { text: "done" } },
      });
      const [before, after] = [await callsOf(original.id), await callsOf(made.id)];
      expect(after.map(({ via, result, attempts }) => [via, result, attempts])).toEqual(
        before.map(({ result }) => ["recording", result, []]),
      );
      expect(new Set([...before, ...after].map(({ id }) => id)).size).toBe(4);
      expect(handler.calls).toHaveLength(2);
    });

    it("with live tools sends calls with the same caller and new ids", async () => {
      const handler = await startHandler();
      const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
      const original = await execute(world, agent.id, TWICE);
      const made = await replay(original.id, { toolMode: "live", fromTurn: 2 });
      expect(made).toMatchObject({ status: "completed", mode: "live", replayOf: original.id, copiedTurns: 1 });
      expect([original, await replay(original.id)].map((execution) => "copiedTurns" in execution)).toEqual([
        false,
        false,
      ]);
      const [, second, replayed, ...others] = handler.requests.map(({ body }) => body);
      expect(others).toEqual([]);
      expect(replayed).toMatchObject({ parameters: { step: 2 }, caller: { user: "u_1" }, executionId: made.id });
      expect(replayed?.["toolCallId"]).not.toBe(second?.["toolCallId"]);
      expect((await callsOf(made.id)).map(({ via, attempts }) => [via, attempts.length])).toEqual([
        ["recording", 0],
        ["handler", 1],
      ]);
    });

    it("distinguishes calls with equal arguments by their occurrence", async () => {
      const handler = await startHandler();
      const agent = await makeAgent(world, { tools: [workTool(handler.url)] });
      const toolCalls = [1, 2].map(() => ({ name: "work", parameters: { step: 1 } }));
      const script = { turns: [{ toolCalls }, { text: "done" }] };
      const original = await execute(world, agent.id, { input: "x", script });
      const made = await replay(original.id);
      expect([made.status, (await callsOf(made.id)).map(({ via }) => via)]).toEqual([
        "completed",
        ["recording", "recording"],
      ]);
    });

    it("asks a person again, and diverges at a call that the original did not make", async () => {
      const handler = await startHandler();
      const agent = await makeAgent(world, { tools: [workTool(handler.url)], policy: { approval: "always" } });
      const original = await startAsking(world, agent.id, calling("work"));
      const first = await decide(original, "deny");
      await untilEnded(original);
      const made = await replay(original);
      // This time the person allows the call, for which there is no outcome.
      expect(await decide(made.id, "approve")).not.toBe(first);
      expect(await untilEnded(made.id)).toMatchObject({ status: "failed", error: { code: "REPLAY_DIVERGED" } });
      // A replay of the replay has no outcome either, so the error does not become one.
      const third = await replay(made.id);
      await decide(third.id, "approve");
      expect(await untilEnded(third.id)).toMatchObject({ status: "failed", error: { code: "REPLAY_DIVERGED" } });
      expect(handler.calls).toEqual([]);
    });

    it("copies the arguments that an approver wrote", async () => {
      const handler = await startHandler();
      const agent = await makeAgent(world, { tools: [workTool(handler.url)], policy: { approval: "always" } });
      const original = await startAsking(world, agent.id, calling("work"));
      const { body } = await world.call("listApprovals", { query: { status: "pending" } });
      const found = pageSchema(approvalSchema)
        .parse(body)
        .data.find(({ executionId }) => executionId === original);
      const edit = { params: { id: found?.id ?? "" }, body: { parameters: { step: 9 } } };
      expectStatus(await world.call("approve", edit), 200);
      await untilEnded(original);
      const made = await replay(original, { fromTurn: 2 });
      expect(made.status).toBe("completed");
      expect(await callsOf(made.id)).toMatchObject([
        { parameters: { step: 9 }, status: "completed", via: "recording" },
      ]);
    });

    it("keeps the taint of the turns that it copies", async () => {
      const [reader, writer] = [await startHandler(), await startHandler()];
      const agent = await makeAgent(world, {
        tools: [
          workTool(reader.url, { name: "read_page", trusted: false }),
          workTool(writer.url, { name: "send_mail", sideEffect: "non_idempotent_write" }),
        ],
      });
      const turns = [
        { toolCalls: [{ name: "read_page", parameters: {} }] },
        { toolCalls: [{ name: "send_mail", parameters: {} }] },
        { text: "done" },
      ];
      const asked = await startAsking(world, agent.id, { input: "x", script: { turns } });
      expectStatus(await world.call("cancelExecution", { params: { id: asked } }), 202);
      await untilEnded(asked);
      const made = await replay(asked, { toolMode: "live", fromTurn: 2, confirm: true });
      expect(made.status).toBe("waiting");
      expect((await callsOf(made.id)).map(({ name, status, isUntrusted }) => [name, status, isUntrusted])).toEqual([
        ["read_page", "completed", true],
        ["send_mail", "waiting_approval", undefined],
      ]);
      expect([reader.calls.length, writer.calls.length]).toEqual([1, 0]);
    });

    it("lists the tools that may write, unless it is confirmed", async () => {
      const handler = await startHandler();
      const agent = await makeAgent(world, {
        tools: [
          workTool(handler.url, { sideEffect: "non_idempotent_write" }),
          workTool(handler.url, { name: "undeclared", sideEffect: undefined }),
          workTool(handler.url, { name: "read" }),
          { builtin: "calculator" },
        ],
        policy: { approval: "never" },
      });
      const original = await execute(world, agent.id, TWICE);
      const refused = problemOf(await ask(original.id, { toolMode: "live", fromTurn: 2 }));
      expect(refused).toMatchObject({ status: 409, code: "CONFLICT" });
      expect(refused.errors).toEqual([
        {
          ...{ path: "confirm", code: "CONFIRMATION_REQUIRED" },
          message: "work may write (non_idempotent_write); it was called once in these model turns",
        },
        {
          ...{ path: "confirm", code: "CONFIRMATION_REQUIRED" },
          message: "undeclared may write (no declared side effect); it was called 0 times in these model turns",
        },
      ]);
      expect(handler.calls).toHaveLength(2);
      expect(await replay(original.id, { toolMode: "live", confirm: true })).toMatchObject({ status: "completed" });
      expect(handler.calls).toHaveLength(4);
    });

    it("has no more routing scopes than its own key allows", async () => {
      const keyWith = async (routing: KeyRouting | null) => {
        const body = { name: "routed", scopes: ["executions"], routing };
        return createdApiKeySchema.parse(expectStatus(await world.call("createApiKey", { body }), 201)).key;
      };
      const { id: agent } = await makeAgent(world);
      const wide = await keyWith({ scopes: ["orders", "refunds"], region: "eu" });
      const body: CreateExecution = {
        ...{ input: "x", script: { turns: [{ text: "done" }] } },
        routing: { scopes: ["orders", "refunds"], dataClass: "public", maxCostClass: "high" },
      };
      const original = await execute(world, agent, body, { key: wide });
      expect(original.routing).toMatchObject({ scopes: ["orders", "refunds"], region: "eu" });
      const narrow = await keyWith({ scopes: ["refunds"], dataClass: "internal", maxCostClass: "low" });
      expect((await replay(original.id, {}, { key: narrow })).routing).toMatchObject({
        ...{ scopes: ["refunds"], dataClass: "internal", region: "eu", maxCostClass: "low" },
      });
      expect((await replay(original.id, {}, { key: await keyWith(null) })).routing).toMatchObject({ scopes: [] });
    });

    it("is started once for an idempotency key, and is in the audit log", async () => {
      const { id: agent } = await makeAgent(world);
      const original = await execute(world, agent, { input: "x", script: { turns: [{ text: "done" }] } });
      const headers = { "idempotency-key": "replay-1" };
      const made = executionSchema.parse(expectStatus(await ask(original.id, {}, { headers }), 201));
      expect(expectStatus(await ask(original.id, {}, { headers }), 201)).toMatchObject({ id: made.id });
      expect(problemOf(await ask(original.id, { toolMode: "live" }, { headers }))).toMatchObject({ status: 409 });
      const log = await world.call("listAuditEntries", { query: { resourceId: made.id } });
      expect(pageSchema(auditEntrySchema).parse(log.body).data).toMatchObject([
        {
          ...{ action: "execution.replayed", resource: { type: "execution", id: made.id } },
          after: { replayOf: original.id, toolMode: "recorded" },
        },
      ]);
    });

    it("is found by its idempotency key when no other could be started", async () => {
      const handler = await startHandler();
      const { id: agent } = await makeAgent(world, { tools: [workTool(handler.url)] });
      const original = await execute(world, agent, calling("work"));
      const headers = { "idempotency-key": "replay-2" };
      const made = executionSchema.parse(expectStatus(await ask(original.id, { toolMode: "live" }, { headers }), 201));
      expectStatus(await world.call("archiveAgent", { params: { id: agent } }), 204);
      const again = expectStatus(await ask(original.id, { toolMode: "live" }, { headers }), 201);
      expect(again).toMatchObject({ id: made.id, replayOf: original.id });
      expect(problemOf(await ask(original.id, { fromTurn: 2 }, { headers }))).toMatchObject({ status: 409 });
      const others = { "idempotency-key": "replay-3" };
      expect(problemOf(await ask(original.id, { toolMode: "live" }, { headers: others }))).toMatchObject({
        status: 404,
      });
    });

    it("is refused for an execution that runs, a turn that does not exist, and an archived agent", async () => {
      const handler = await startHandler({ isHeld: true });
      const { id: agent } = await makeAgent(world, { tools: [workTool(handler.url)] });
      const running = await start(world, agent, calling("work"));
      await handler.called(1);
      expect(problemOf(await ask(running.id))).toMatchObject({ status: 409, code: "CONFLICT" });
      handler.release();
      const original = await execute(world, agent, calling("work"));
      expect(problemOf(await ask(original.id, { fromTurn: 3 }))).toMatchObject({
        ...{ status: 422, errors: [{ path: "fromTurn", message: expect.stringContaining("from 1 to 2") }] },
      });
      expectStatus(await world.call("archiveAgent", { params: { id: agent } }), 204);
      const refused = { status: 404, detail: expect.stringContaining("the agent of this execution is archived") };
      expect(problemOf(await ask(original.id))).toMatchObject(refused);
    });

    it("is not for the token of the execution", async () => {
      const { id: agent } = await makeAgent(world);
      const original = await execute(world, agent, { input: "x", script: { turns: [{ text: "done" }] } });
      const params = { id: original.id };
      const made = await world.call("createExecutionToken", { params, body: {} });
      const { token } = executionTokenSchema.parse(made.body);
      expect((await ask(original.id, {}, { key: token })).status).toBe(403);
    });

    it("says in its first event and its receipt what it replays", async () => {
      const { id: agent } = await makeAgent(world);
      const original = await execute(world, agent, { input: "x", script: { turns: [{ text: "done" }] } });
      const made = await replay(original.id);
      const reader = new EventReader(await world.open("followExecution", { params: { id: made.id } }));
      expect((await reader.all())[0]?.data).toMatchObject({ type: "execution.started", replayOf: original.id });
      const receipt = expectStatus(await world.call("getReceipt", { params: { id: made.id } }), 200);
      expect(JSON.stringify(receipt)).toContain(`It replays ${original.id}.`);
      expect(receipt).toMatchObject({ verified: true, isFinal: true });
    });
  });
}

describeReplay("on SQLite", async () => ({}));
if (hasPostgres()) describeReplay("on PostgreSQL", async () => ({ databaseUrl: await createMigratedDatabase() }));

it("a replay is found by its idempotency key after its original was deleted", async () => {
  const world = await startWorld();
  const { id: agent } = await makeAgent(world);
  const original = await execute(world, agent, { input: "x", script: { turns: [{ text: "done" }] } });
  const call: Call = { params: { id: original.id }, body: {}, headers: { "idempotency-key": "replay-1" } };
  const made = executionSchema.parse(expectStatus(await world.call("replayExecution", call), 201));
  const reader = new EventReader(await world.open("followExecution", { params: { id: made.id } }));
  await reader.until("execution.completed");
  await reader.leave();
  const { finishedAt } = executionSchema.parse((await world.call("getExecution", { params: { id: made.id } })).body);
  await world.close();
  const store = await openSqliteStore({ dataDir: world.dataDir });
  const endedBefore = Date.parse(finishedAt ?? "");
  expect(await store.retention.deleteEnded({ endedBefore, afterId: "", limit: 100 })).toMatchObject({ deleted: 1 });
  await store.close();
  const later = await startWorld({ dataDir: world.dataDir, apiKey: world.key });
  onTestFinished(() => later.stop());
  expect(expectStatus(await later.call("replayExecution", call), 201)).toMatchObject({ id: made.id });
  expect(problemOf(await later.call("replayExecution", { ...call, headers: {} }))).toMatchObject({ status: 404 });
});
