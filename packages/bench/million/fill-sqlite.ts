import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyStatements, freshBatches, type Row, TABLES } from "./finished-copies.ts";

const BATCH = 10_000;

const NEW_ROWS = "(SELECT value ->> 0 AS id, value ->> 1 AS at FROM json_each(?)) AS f";

/** Inserts copies of an ended execution into the event store of a data directory that no process has open. */
export function fillSqlite(dataDir: string, executionId: string, count: number): void {
  const database = new DatabaseSync(join(dataDir, "journal.db"));
  // The data can be generated again, so losing it does no harm.
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000");
  const rows = new Map(
    [...TABLES].map(([table, condition]) => [
      table,
      database.prepare(`SELECT * FROM ${table} WHERE ${condition}`).all(executionId) as readonly Row[],
    ]),
  );
  const statements = copyStatements(rows, NEW_ROWS).map((text) => database.prepare(text));
  for (const batch of freshBatches(count, BATCH)) {
    const values = JSON.stringify(batch.map(({ id, at }) => [id, at]));
    database.exec("BEGIN");
    for (const statement of statements) statement.run(values);
    database.exec("COMMIT");
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
