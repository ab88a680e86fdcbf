import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { appendTo } from "@yagate/store/events/event-store";
import { openStore } from "@yagate/store/open-store";
import { migrate as migratePostgres } from "@yagate/store/postgres/migrations/migrate";
import { expect, it, onTestFinished } from "vitest";
import { hasPostgres, startPostgres } from "../../../test/services/postgres.ts";
import { SqliteConnection } from "../../store/src/sqlite/connection.ts";
import { migrate as migrateSqlite } from "../../store/src/sqlite/migrations/migrate.ts";
import { execute } from "../../store/test/support/execute.ts";
import { appendOf, entryOf, executionOf, NOW } from "../../store/test/support/fixtures.ts";
import { makeTemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { createFollower } from "../src/follower.ts";

/** The last schemas without read models. */
const BEFORE_READ_MODELS = { sqlite: 30, postgres: 32 } as const;
/** More than the follower adds in one step. */
const OLD_EXECUTIONS = 70;
const HOUR = { step: 3_600, from: NOW, until: NOW + 1 };
const AT = new Date(NOW).toISOString();

/** One execution with a failed call, as earlier versions stored it. */
function oldRows(index: number, column: { readonly names: string; readonly values: string }): readonly string[] {
  const id = `exec_${`${index}`.padStart(26, "0")}`;
  const call = { seq: 1, executionId: id, at: AT, type: "tool_call.requested", toolCallId: `tc_${index}` };
  const failure = { code: "TIMEOUT", message: "x", hint: "x", retryable: true, source: "gateway" };
  const events = [
    { ...call, name: "lookup_order", kind: "handler", arguments: {} },
    { ...call, seq: 2, type: "tool_call.failed", error: failure },
    { seq: 3, executionId: id, at: AT, type: "execution.completed" },
  ];
  const summary = { usage: { inputTokens: 10, outputTokens: 2, toolCalls: 1 }, cost: { usd: 0.5, credits: 0 } };
  const entries = JSON.stringify(events.map((event) => ({ event })));
  return [
    `INSERT INTO executions (id, workspace_id, agent_id, agent_version, created_at, last_seq, epoch, lease_until, is_open,
         status, summary)
       VALUES ('${id}', 'ws_a', 'agt_1', 1, ${NOW}, 3, 1, 0, 0, 'completed', '${JSON.stringify(summary)}')`,
    `INSERT INTO execution_requests (execution_id, request) VALUES ('${id}', '{"input":"x"}')`,
    `INSERT INTO appends (execution_id, last_seq, entries${column.names}) VALUES ('${id}', 3, '${entries}'${column.values})`,
  ];
}

const oldStatements = (column: Parameters<typeof oldRows>[1]) =>
  Array.from({ length: OLD_EXECUTIONS }, (_, index) => oldRows(index, column)).flat();

async function oldSqliteStore() {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  const dataDir = join(directory.path, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const old = new SqliteConnection(join(dataDir, "journal.db"));
  migrateSqlite(old, BEFORE_READ_MODELS.sqlite);
  for (const statement of oldStatements({ names: "", values: "" })) old.execute(statement);
  old.close();
  return { dataDir, databaseUrl: undefined };
}

async function oldPostgresStore() {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const databaseUrl = await server.createDatabase();
  await migratePostgres(databaseUrl, { upTo: BEFORE_READ_MODELS.postgres });
  await execute(databaseUrl, oldStatements({ names: ", token", values: ", 1" }).join(";\n"));
  return { dataDir: "", databaseUrl };
}

const STORES = [
  ["SQLite", oldSqliteStore],
  ...(hasPostgres() ? ([["PostgreSQL", oldPostgresStore]] as const) : []),
] as const;

it.each(STORES)("a store of an earlier version gets its read models (%s)", async (_name, createOld) => {
  const store = await openStore(await createOld());
  onTestFinished(() => store.close());
  expect(await store.readModels.isBackfilling()).toBe(true);
  const { id } = (await store.eventStore.create(executionOf("ws_a"))).execution;
  const entries = [entryOf(id, 1, { type: "execution.completed" })];
  await appendTo(store.eventStore, { ...appendOf(id, 0, { status: "completed" }), entries });

  const errors: unknown[] = [];
  const follower = createFollower({
    ...{ store: store.readModels, owner: "a", executionRetentionDays: undefined, now: () => NOW },
    onError: (error) => void errors.push(error),
  });
  let looks = 1;
  while ((await follower.look()) !== true) looks += 1;

  expect(errors).toEqual([]);
  expect(looks).toBeGreaterThan(2);
  expect(await store.readModels.isBackfilling()).toBe(false);
  const calls = await store.readModels.toolCalls("ws_a", { limit: 100 }, { code: "TIMEOUT", tool: "lookup_order" });
  expect(calls.data).toHaveLength(OLD_EXECUTIONS);
  const executions = await store.eventStore.list("ws_a", { limit: 100 }, { tool: "lookup_order" });
  expect(executions.data).toHaveLength(OLD_EXECUTIONS);
  const total = async (metric: string) =>
    (await store.readModels.points("ws_a", HOUR, [metric])).reduce((sum, { value }) => sum + value, 0);
  expect(await total("executions")).toBe(OLD_EXECUTIONS + 1);
  expect(await total("codes")).toBe(OLD_EXECUTIONS);
  // Nothing is counted again.
  expect(await follower.look()).toBe(true);
  expect(await total("executions")).toBe(OLD_EXECUTIONS + 1);
});
