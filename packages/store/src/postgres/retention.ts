import {
  type AgedExecution,
  EXECUTION_TABLES,
  type ExecutionRows,
  idsNamedIn,
  NAMED_TABLES,
} from "../events/ended-executions.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { toStoreError } from "./store-error.ts";
import { EXCHANGE_BYTES } from "./stored-bytes.ts";

const AFTER = named(`
  SELECT id, created_at, CASE is_open WHEN 0 THEN summary END AS ended_summary
  FROM executions WHERE id > $1 ORDER BY id LIMIT $2`);

const ENTRIES = named("SELECT entries FROM appends WHERE execution_id = $1");

const OTHER_TABLES = EXECUTION_TABLES.filter((table) => table === "execution_requests");
const OTHER_NAMED_TABLES = NAMED_TABLES.filter(({ table }) => table !== "exchanges");

const REMOVE = named(`
  WITH ${OTHER_TABLES.map((table) => `of_${table} AS (DELETE FROM ${table} WHERE execution_id = ANY($1::text[]))`)},
    ${OTHER_NAMED_TABLES.map(
      ({ table, column }) => `of_${table} AS (DELETE FROM ${table} WHERE ${column} = ANY($2::text[]))`,
    )},
    texted AS (
      DELETE FROM execution_texts WHERE execution_id = ANY($1::text[])
      RETURNING workspace_id, octet_length(text) AS bytes
    ), exchanged AS (
      DELETE FROM exchanges WHERE attempt_id = ANY($2::text[]) RETURNING workspace_id, ${EXCHANGE_BYTES} AS bytes
    ), appended AS (
      DELETE FROM appends WHERE execution_id = ANY($1::text[]) RETURNING execution_id, octet_length(exchanges) AS bytes
    ), removed AS (
      DELETE FROM executions WHERE id = ANY($1::text[]) RETURNING id, workspace_id, stored_bytes AS bytes
    )
  INSERT INTO stored_bytes_changes (workspace_id, bytes)
  SELECT workspace_id, -sum(bytes) FROM (
    SELECT * FROM texted UNION ALL SELECT * FROM exchanged
    UNION ALL SELECT r.workspace_id, a.bytes FROM appended a JOIN removed r ON r.id = a.execution_id
    UNION ALL SELECT workspace_id, bytes FROM removed
  ) AS gone
  WHERE workspace_id IS NOT NULL AND bytes IS NOT NULL GROUP BY workspace_id`);

/**
 * Creates the queries for deleting old executions. The server's autovacuum makes the freed space reusable.
 *
 * JSON is parsed in this process, because the server's JSON operators reject strings with U+0000 or lone surrogates,
 * which callers and handlers may send.
 */
export function createExecutionRows(database: Database): ExecutionRows {
  return {
    after: (id, limit) => repeatRead(() => database.run<AgedExecution>("reads", AFTER, [id, limit])),
    async namedIds(executionIds) {
      const ids = new Set<string>();
      // One event log at a time, because a log may be long.
      for (const id of executionIds) {
        const rows = await repeatRead(() => database.run<{ entries: string }>("reads", ENTRIES, [id]));
        for (const { entries } of rows) for (const named of idsNamedIn(entries)) ids.add(named);
      }
      return [...ids];
    },
    async remove(executionIds, namedIds) {
      try {
        await database.run("writes", REMOVE, [executionIds, namedIds]);
      } catch (error) {
        throw toStoreError(error);
      }
    },
  };
}
