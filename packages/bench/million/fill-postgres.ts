import { Client } from "pg";
import { copyStatements, freshBatches, type Row, TABLES } from "./finished-copies.ts";

const BATCH = 10_000;

const NEW_ROWS = "unnest($1::text[], $2::bigint[]) AS f (id, at)";

/** Inserts copies of an ended execution into a database and updates the planner's statistics. */
export async function fillPostgres(databaseUrl: string, executionId: string, count: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The data can be generated again, so losing it does no harm.
    await client.query("SET synchronous_commit = off");
    const rows = new Map<string, readonly Row[]>();
    for (const [table, condition] of TABLES) {
      const found = await client.query<Row>(`SELECT * FROM ${table} WHERE ${condition.replace("?", "$1")}`, [
        executionId,
      ]);
      rows.set(table, found.rows);
    }
    const statements = copyStatements(rows, NEW_ROWS);
    for (const batch of freshBatches(count, BATCH)) {
      const values = [batch.map(({ id }) => id), batch.map(({ at }) => at)];
      await client.query("BEGIN");
      for (const text of statements) await client.query(text, values);
      await client.query("COMMIT");
    }
    await client.query("VACUUM ANALYZE");
    await client.query("CHECKPOINT");
  } finally {
    await client.end();
  }
}
