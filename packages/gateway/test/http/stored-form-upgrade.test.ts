import { randomBytes } from "node:crypto";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createAgentSchema, pageSchema, receiptSchema, toolCallRecordSchema } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { SqliteConnection } from "../../../store/src/sqlite/connection.ts";
import { migrate } from "../../../store/src/sqlite/migrations/migrate.ts";
import { openSqliteStore } from "../../../store/src/sqlite.ts";
import { composeGateway } from "../../src/compose/compose-gateway.ts";
import { completeConfig, type GatewayConfig } from "../../src/config/gateway-config.ts";
import { expectStatus } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const WAITING = 12;
/** The last schema in which messages of attempts had rows of their own only. */
const OLDER_SCHEMA = 17;
const CALL = { toolCalls: [{ name: "work", parameters: {} }] };
const PATIENTLY = { timeout: 15_000, interval: 50 } as const;

function onJournal<Result>(dataDir: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(dataDir, "journal.db"));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Copies the store into a file with the older schema, which replaces it. */
async function toOlderSchema(dataDir: string): Promise<void> {
  const path = join(dataDir, "journal.db");
  const newer = `${path}.newer`;
  await rename(path, newer);
  const older = new SqliteConnection(path);
  migrate(older, OLDER_SCHEMA);
  older.execute(`ATTACH '${newer}' AS newer`);
  const tables = older.prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) {
    const columns = older.prepare<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`).all();
    const list = columns.map((column) => column.name).join(", ");
    older.execute(`INSERT OR REPLACE INTO ${name} (${list}) SELECT ${list} FROM newer.${name}`);
  }
  // A later step adds this row.
  older.execute("DELETE FROM stored_bytes_positions WHERE name = 'tool_source_definitions'");
  older.close();
  await rm(newer);
}

const countOf = (database: DatabaseSync, what: string) =>
  database.prepare(`SELECT count(*) AS n FROM ${what}`).get()?.["n"];

it("a store of an older version is migrated with the executions that wait in it; they finish, and all receipts verify", {
  timeout: 60_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-upgrade-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const config: GatewayConfig = {
    dataDir,
    apiKey: `yk_${randomBytes(32).toString("base64url")}`,
    masterKeys: `k1:${randomBytes(32).toString("base64")}`,
    allowCidrs: ["127.0.0.0/8"],
    logLevel: "silent",
    drainMs: 0,
  };
  const failing = await startHandler({ status: 500, body: { error: { code: "BROKEN", message: "it broke" } } });

  const older = await composeGateway(completeConfig(config), () => openSqliteStore({ dataDir, form: 1 }));
  const workspaceId = older.defaultWorkspaceId;
  const definition = createAgentSchema.parse({ name: "a", model: "scripted/turns", tools: [workTool(failing.url)] });
  const agent = await older.agentWriter.create(workspaceId, definition);
  const startOf = { workspaceId, keyId: null, keyRouting: undefined, agent };
  const script = { turns: [CALL, CALL, { text: "done" }] };
  const fallback = { waitMs: 600_000 };
  const ended = await older.executions.startAndWait(
    { ...startOf, request: { input: "go", script } },
    10_000,
    new AbortController().signal,
  );
  const waiting = await Promise.all(
    Array.from({ length: WAITING }, () =>
      older.executions.start({ ...startOf, request: { input: "go", script, fallback } }),
    ),
  );
  for (const { id } of waiting) {
    await expect.poll(async () => (await older.executions.get(workspaceId, id)).status, PATIENTLY).toBe("waiting");
  }
  await older.close();
  onJournal(dataDir, (database) => {
    expect(countOf(database, "call_ids")).toBe(2 * (2 + WAITING));
    expect(countOf(database, "exchanges")).toBe(2 + WAITING);
    expect(countOf(database, "appends WHERE exchanges IS NOT NULL OR link NOT LIKE '1.%'")).toBe(0);
  });
  await toOlderSchema(dataDir);

  const world = await startWorld(config);
  const receiptOf = async (id: string) =>
    receiptSchema.parse(expectStatus(await world.call("getReceipt", { params: { id } }), 200));
  const callsOf = async (id: string) =>
    pageSchema(toolCallRecordSchema).parse((await world.call("listToolCalls", { params: { id } })).body).data;
  expect(await receiptOf(ended.id)).toMatchObject({ verified: true, isFinal: true });
  await Promise.all(
    waiting.map(async ({ id }) => {
      expect(await receiptOf(id)).toMatchObject({ verified: true, isFinal: false });
      for (const round of [0, 1]) {
        await expect.poll(async () => (await callsOf(id))[round]?.status, PATIENTLY).toBe("waiting_fallback");
        const call = (await callsOf(id))[round];
        const params = { id: call?.id ?? "" };
        expectStatus(await world.call("answerFallback", { params, body: { result: round } }), 200);
        const attempt = await world.call("getAttempt", { params: { id: call?.attempts[0]?.id ?? "" } });
        expect(attempt).toMatchObject({
          status: 200,
          body: { executionId: id, response: { body: expect.any(String) } },
        });
      }
      const events = await new EventReader(await world.open("followExecution", { params: { id } })).all();
      expect(events.at(-1)?.data).toMatchObject({ type: "execution.completed", output: { text: "done" } });
      expect(await callsOf(id)).toMatchObject([{ result: 0 }, { result: 1 }]);
      expect(await receiptOf(id)).toMatchObject({ verified: true, isFinal: true });
    }),
  );
  expect(failing.calls).toHaveLength(2 + 2 * WAITING);
  await world.close();
  onJournal(dataDir, (database) => {
    expect(countOf(database, "call_ids")).toBe(2 * (2 + WAITING));
    expect(countOf(database, "exchanges")).toBe(2 + WAITING);
    expect(countOf(database, "appends WHERE exchanges IS NOT NULL")).toBe(WAITING);
    expect(countOf(database, "appends WHERE link LIKE '2.%'")).toBeGreaterThanOrEqual(WAITING);
  });
});
