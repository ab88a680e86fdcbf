import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/services/postgres.ts";
import { RECOUNT_STORED_BYTES, type RecountedBytes } from "../../../test/services/stored-bytes.ts";
import { type MoveOptions, moveStore } from "../src/move/move-store.ts";
import { NOT_COPIED } from "../src/move/tables.ts";
import { migrate, SCHEMA_VERSION } from "../src/postgres/migrations/migrate.ts";
import { openPostgresStore } from "../src/postgres.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { execute } from "./support/execute.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

/** More than a batch. */
const ROWS = 603;
/** The last of them interrupts the comparison. */
const INTERRUPTIONS = 12;
const STEPS_BETWEEN = 8;
const TEXT = 'ä€😀\'"\\ \\u0000 {"a":[1,null]}\n';
const SUMMARY = '{"status":"running","stopReason":null,"output":null,"error":null}';
const REQUEST = '{"input":"x","metadata":{"team":"support","order":"7"}}';

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

function tablesOf(database: DatabaseSync): readonly Table[] {
  const columns = database
    .prepare(
      `SELECT s.name AS "table", c.name, c.type FROM sqlite_schema s JOIN pragma_table_xinfo(s.name) c
       WHERE s.type = 'table' AND c.hidden = 0`,
    )
    .all() as unknown as readonly { table: string; name: string; type: string }[];
  return [...Map.groupBy(columns, ({ table }) => table)].map(([name, found]) => ({ name, columns: found }));
}

function sampleOf(table: string, column: string, type: string, row: number): string | number | null {
  const id = `${row}`.padStart(6, "0");
  if (type === "REAL") return row / 3;
  if (type === "INTEGER") return column === "is_open" ? row % 2 : column.endsWith("_at") ? 2 ** 41 + row : row;
  if (column === "summary") return SUMMARY;
  if (column === "request" && table === "execution_requests") return REQUEST;
  if (["id", "execution_id"].includes(column)) return `exec_${id}`;
  if (column === "workspace_id") return `ws_${row % 3}`;
  return `${column} ${id} ${TEXT}`;
}

/** Fills every table that is copied. */
function fill(dataDir: string): readonly Table[] {
  const database = new DatabaseSync(join(dataDir, "journal.db"));
  const tables = tablesOf(database).filter(({ name }) => !NOT_COPIED.has(name));
  // The triggers read executions.
  const ordered = tables.toSorted((a, b) => Number(b.name === "executions") - Number(a.name === "executions"));
  database.exec("BEGIN");
  for (const { name, columns } of ordered) {
    const insert = database.prepare(
      `INSERT INTO ${name} (${columns.map((column) => column.name).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (let row = 1; row <= ROWS; row += 1) {
      insert.run(...columns.map((column) => sampleOf(name, column.name, column.type, row)));
    }
  }
  database.exec("COMMIT");
  database.close();
  return tables;
}

describe.skipIf(!hasPostgres())("a SQLite store that is moved to PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function makeSource(): Promise<{ readonly dataDir: string; readonly tables: readonly Table[] }> {
    const directory = await makeTemporaryDirectory();
    onTestFinished(() => directory.remove());
    await (await openSqliteStore({ dataDir: directory.path })).close();
    return { dataDir: directory.path, tables: fill(directory.path) };
  }

  const optionsOf = (dataDir: string, databaseUrl: string, onProgress = () => {}): MoveOptions => ({
    ...{ dataDir, databaseUrl, onProgress },
    onSource: async () => {},
    compareExecution: async () => undefined,
  });

  /** Every table, in one order. */
  async function dump(databaseUrl: string): Promise<ReadonlyMap<string, readonly object[]>> {
    const tables = await execute<{ name: string }>(
      databaseUrl,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'yagate_migrations' ORDER BY 1",
    );
    const found = new Map<string, readonly object[]>();
    for (const { name } of tables) {
      found.set(name, await execute(databaseUrl, `SELECT * FROM ${name} t ORDER BY t::text COLLATE "C"`));
    }
    return found;
  }

  it("has every row of every table there, and what is derived from them", async () => {
    const { dataDir, tables } = await makeSource();
    const databaseUrl = await server.createDatabase();
    const report = await moveStore(optionsOf(dataDir, databaseUrl));
    expect(report).toMatchObject({ outcome: "moved", differences: [], executions: ROWS, tables: tables.length });

    const source = new DatabaseSync(join(dataDir, "journal.db"), { readOnly: true });
    for (const { name, columns } of tables) {
      const list = columns.map((column) => column.name).join(", ");
      const condition = name === "settings" ? "WHERE name LIKE 'name %'" : "";
      const expected = source.prepare(`SELECT ${list} FROM ${name} ${condition}`).all();
      const actual = await execute(databaseUrl, `SELECT ${list} FROM ${name} ${condition}`);
      // PostgreSQL's driver gives bigint as text.
      const textOf = (row: object) => JSON.stringify(Object.values(row).map((value) => value && String(value)));
      expect([name, actual.map(textOf).toSorted()]).toEqual([name, expected.map(textOf).toSorted()]);
    }
    source.close();
    const count = async (text: string) => (await execute<{ count: number }>(databaseUrl, text))[0]?.count;
    expect(await count("SELECT count(*)::integer AS count FROM execution_metadata")).toBe(2 * ROWS);
    const totals = await execute<RecountedBytes>(databaseUrl, "SELECT * FROM workspace_stored_bytes ORDER BY 1");
    const counted = await execute<RecountedBytes>(databaseUrl, `${RECOUNT_STORED_BYTES} ORDER BY 1`);
    expect(totals.map(({ workspace_id, bytes }) => [workspace_id, Number(bytes)])).toEqual(
      counted.map(({ workspace_id, bytes }) => [workspace_id, bytes]),
    );
    expect(await moveStore(optionsOf(dataDir, databaseUrl))).toMatchObject({ outcome: "already_moved" });
    const store = await openPostgresStore({ databaseUrl });
    onTestFinished(() => store.close());
    expect(await store.storedBytes.advance()).toBe(true);
  });

  it("is there in the same way after interruptions while it is copied and compared", { timeout: 300_000 }, async () => {
    const { dataDir } = await makeSource();
    const [whole, interrupted] = [await server.createDatabase(), await server.createDatabase()];
    await moveStore(optionsOf(dataDir, whole));
    for (let interruption = 0; interruption < INTERRUPTIONS; interruption += 1) {
      let steps = 0;
      const moving = moveStore(
        optionsOf(dataDir, interrupted, () => {
          steps += 1;
          if (steps > STEPS_BETWEEN) throw new Error("interrupted");
        }),
      );
      await expect(moving).rejects.toThrow();
      await expect(openPostgresStore({ databaseUrl: interrupted })).rejects.toThrow("has not finished");
    }
    expect(await moveStore(optionsOf(dataDir, interrupted))).toMatchObject({ outcome: "resumed", differences: [] });
    expect(await dump(interrupted)).toEqual(await dump(whole));
  });

  it("is copied again from the start if a gateway has used it since the interruption", async () => {
    const { dataDir } = await makeSource();
    const databaseUrl = await server.createDatabase();
    const stopped = moveStore(
      optionsOf(dataDir, databaseUrl, () => {
        throw new Error("interrupted");
      }),
    );
    await expect(stopped).rejects.toThrow();
    const database = new DatabaseSync(join(dataDir, "journal.db"));
    database.exec("DELETE FROM execution_requests WHERE execution_id = 'exec_000001'");
    database.exec("DELETE FROM executions WHERE id = 'exec_000001'");
    database.close();
    const report = await moveStore(optionsOf(dataDir, databaseUrl));
    expect(report).toMatchObject({ outcome: "moved", differences: [], executions: ROWS - 1 });
  });

  it("is not trusted if the target has changed", async () => {
    const { dataDir } = await makeSource();
    const databaseUrl = await server.createDatabase();
    let isChanged = false;
    const report = await moveStore({
      ...optionsOf(dataDir, databaseUrl),
      async compareExecution({ id }) {
        isChanged = true;
        return id === "exec_000007" ? "the receipts differ" : undefined;
      },
    });
    expect(isChanged).toBe(true);
    expect(report.differences).toEqual([{ table: "executions", row: "exec_000007", problem: "the receipts differ" }]);
    await execute(databaseUrl, "UPDATE agents SET version = version + 1 WHERE id = 'exec_000009'");
    await execute(databaseUrl, "DELETE FROM approvals WHERE id = 'exec_000002'");
    const { differences } = await moveStore(optionsOf(dataDir, databaseUrl));
    expect(differences).toEqual([
      { table: "agents", row: '["exec_000009"]', problem: "different values in version" },
      { table: "approvals", row: '["exec_000002"]', problem: "the row is missing" },
      { table: "approvals", row: "*", problem: `expected ${ROWS} rows, found ${ROWS - 1}` },
    ]);
    await expect(openPostgresStore({ databaseUrl })).rejects.toThrow("has not finished");
  });

  it("is not moved over other data, nor beside a gateway", async () => {
    const { dataDir } = await makeSource();
    const databaseUrl = await server.createDatabase();
    const store = await openPostgresStore({ databaseUrl });
    const isListening = () =>
      execute(databaseUrl, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'");
    await expect.poll(isListening).toHaveLength(1);
    await expect(moveStore(optionsOf(dataDir, databaseUrl))).rejects.toThrow("no gateway to use the target");
    await store.settings.setOnce("something", "1");
    await store.close();
    await expect(moveStore(optionsOf(dataDir, databaseUrl))).rejects.toThrow("found rows in the table settings");
    const other = await openSqliteStore({ dataDir });
    await expect(moveStore(optionsOf(dataDir, databaseUrl))).rejects.toThrow("is used by");
    await other.close();
  });

  it("is moved into a database with views, as extensions create them", async () => {
    const { dataDir } = await makeSource();
    const databaseUrl = await server.createDatabase();
    await execute(databaseUrl, "CREATE VIEW running AS SELECT pid, query_id FROM pg_stat_activity");
    expect(await moveStore(optionsOf(dataDir, databaseUrl))).toMatchObject({ outcome: "moved", differences: [] });
  });

  it("does not change the schema of a database that it is not moved to", async () => {
    const { dataDir } = await makeSource();
    const databaseUrl = await server.createDatabase();
    await migrate(databaseUrl, { upTo: SCHEMA_VERSION - 1 });
    await execute(databaseUrl, "INSERT INTO settings (name, value) VALUES ('something', '1')");
    await expect(moveStore(optionsOf(dataDir, databaseUrl))).rejects.toThrow("found rows in the table settings");
    const [schema] = await execute<{ version: number }>(
      databaseUrl,
      "SELECT max(version) AS version FROM yagate_migrations",
    );
    expect(schema?.version).toBe(SCHEMA_VERSION - 1);
  });
});
