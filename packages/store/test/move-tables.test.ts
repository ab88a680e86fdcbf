import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { movedTables, NOT_COPIED } from "../src/move/tables.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { execute } from "./support/execute.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

interface Found {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly key: number;
}

describe.skipIf(!hasPostgres())("the tables that migrate-store copies", () => {
  let [source, target]: [readonly Found[], readonly Found[]] = [[], []];
  beforeAll(async () => {
    const directory = await makeTemporaryDirectory();
    await (await openSqliteStore({ dataDir: directory.path })).close();
    const database = new DatabaseSync(join(directory.path, "journal.db"), { readOnly: true });
    const rows: unknown = database
      .prepare(
        `SELECT s.name AS "table", c.name, c.type, c.pk AS "key" FROM sqlite_schema s JOIN pragma_table_xinfo(s.name) c
         WHERE s.type = 'table' AND c.hidden = 0`,
      )
      .all();
    source = rows as readonly Found[];
    database.close();
    await directory.remove();
    target = await execute<Found>(
      await createMigratedDatabase(),
      `SELECT table_name AS "table", column_name AS name, data_type AS type, 0 AS key FROM information_schema.columns
       WHERE table_schema = current_schema() AND is_generated = 'NEVER'`,
    );
  });

  it("are all tables of both schemas but those that are derived, with all their columns", () => {
    const moved = movedTables(source, target);
    const names = new Set([...source, ...target].map(({ table }) => table));
    expect([...moved.map(({ name }) => name), ...NOT_COPIED.keys()].toSorted()).toEqual([...names].toSorted());
    expect(moved.length).toBeGreaterThan(40);
    for (const { name, columns, keys } of moved) {
      const columnsOf = (found: readonly Found[]) => found.filter(({ table }) => table === name).map((one) => one.name);
      expect(columns.map((column) => column.name)).toEqual(columnsOf(target));
      expect(columnsOf(target)).toEqual(expect.arrayContaining(columnsOf(source)));
      expect(keys.length).toBeGreaterThan(0);
    }
  });

  it("include none that nothing says how to copy", () => {
    const added = { table: "novelties", name: "id", type: "text", key: 1 };
    expect(() => movedTables([...source, added], target)).toThrow("novelties.id");
    expect(() => movedTables(source, [...target, added])).toThrow("novelties.id");
    expect(() => movedTables([...source, { ...added, table: "agents", name: "new" }], target)).toThrow("agents.new");
    expect(() => movedTables(source, [...target, { ...added, table: "agents", name: "new" }])).toThrow("agents.new");
  });
});
