import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { EXECUTION_TABLES, NAMED_TABLES } from "../src/events/ended-executions.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { execute } from "./support/execute.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

/** They are deleted by their own age. */
const KEYS = "idempotency_keys";
const NAMED = NAMED_TABLES.map(({ table }) => table).filter((table) => table !== "exchanges");
/** Its rows come and go with those of the requests, by triggers. */
const METADATA = "execution_metadata";
/** Their rows go with those of the executions, by triggers; the follower empties the list of changes. */
const DERIVED = ["execution_tools", "read_executions", "read_model_changes", "redeliveries", "tool_calls"];
const EXPECTED = [...EXECUTION_TABLES, ...NAMED, KEYS, METADATA, ...DERIVED].toSorted();

const MAKE = `
  INSERT INTO executions (id, workspace_id, agent_id, agent_version, created_at, last_seq, epoch, lease_until, is_open,
    status, summary) VALUES ('exec_1', 'ws_a', 'agt_1', 1, 0, 0, 1, 0, 0, 'completed', '{}');
  INSERT INTO execution_requests (execution_id, request)
    VALUES ('exec_1', '{"input":"x","metadata":{"a":"b","c":"d","e":1}}');`;
const REMOVE = "DELETE FROM execution_requests WHERE execution_id = 'exec_1'";
const COUNT = `SELECT CAST(count(*) AS INTEGER) AS count FROM ${METADATA} WHERE execution_id = 'exec_1'`;

it("metadata that executions are found by goes with its request on SQLite", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  await (await openSqliteStore({ dataDir: directory.path })).close();
  const database = new DatabaseSync(join(directory.path, "journal.db"));
  const count = () => database.prepare(COUNT).get()?.["count"];
  database.exec(MAKE);
  expect(count()).toBe(2);
  database.exec(REMOVE);
  expect(count()).toBe(0);
  database.close();
});

it("deletes the rows of an execution from every table of the SQLite store that names it", async () => {
  const directory = await makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  await (await openSqliteStore({ dataDir: directory.path })).close();
  const database = new DatabaseSync(join(directory.path, "journal.db"), { readOnly: true });
  const rows = database
    .prepare(
      `SELECT s.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c
       WHERE s.type = 'table' AND c.name = 'execution_id' ORDER BY s.name`,
    )
    .all();
  database.close();
  expect(rows.map(({ name }) => name)).toEqual(EXPECTED);
});

describe.skipIf(!hasPostgres())("on PostgreSQL", () => {
  it("deletes them from every table of the store", async () => {
    const databaseUrl = await createMigratedDatabase();
    await (await openPostgresStore({ databaseUrl })).close();
    const rows = await execute<{ table_name: string }>(
      databaseUrl,
      `SELECT table_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'execution_id' ORDER BY table_name`,
    );
    expect(rows.map((row) => row.table_name)).toEqual(EXPECTED);
  });

  it("metadata that executions are found by goes with its request", async () => {
    const databaseUrl = await createMigratedDatabase();
    await (await openPostgresStore({ databaseUrl })).close();
    const count = () => execute<{ count: number }>(databaseUrl, COUNT);
    await execute(databaseUrl, MAKE);
    expect(await count()).toEqual([{ count: 2 }]);
    await execute(databaseUrl, REMOVE);
    expect(await count()).toEqual([{ count: 0 }]);
  });

  it("one replica at a time deletes, and another takes over from one that has died", async () => {
    const databaseUrl = await createMigratedDatabase();
    const [one, two] = [await openPostgresStore({ databaseUrl }), await openPostgresStore({ databaseUrl })];
    const claim = (owner: string, now: number, until: number) =>
      (owner === "one" ? one : two).retention.claim({ owner, now, until });
    expect(await Promise.all([claim("one", 100, 200), claim("two", 100, 200)]).then((got) => got.toSorted())).toEqual([
      false,
      true,
    ]);
    expect(await claim("one", 200, 300)).toBe(true);
    expect(await claim("two", 299, 400)).toBe(false);
    expect(await claim("one", 250, 500)).toBe(true);
    expect(await claim("two", 499, 600)).toBe(false);
    expect(await claim("two", 500, 600)).toBe(true);
    expect(await claim("one", 550, 700)).toBe(false);
    await Promise.all([one.close(), two.close()]);
  });
});
