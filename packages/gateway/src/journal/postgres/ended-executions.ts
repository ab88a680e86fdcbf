import type { AgedExecution, ExecutionRows } from "../ended-executions.ts";
import { EXECUTION_TABLES, NAMED_TABLES, NAMING_FIELDS } from "../execution-tables.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { toStoreError } from "./store-error.ts";

const AFTER = named(`
  SELECT id, created_at, CASE is_open WHEN 0 THEN (summary::json ->> 'finishedAt')::bigint END AS finished_at
  FROM executions WHERE id > $1 ORDER BY id LIMIT $2`);

const NAMED_IDS = named(`
  SELECT DISTINCT named.id
  FROM appends a
    CROSS JOIN LATERAL json_array_elements(a.entries::json) AS entry
    CROSS JOIN LATERAL (VALUES ${NAMING_FIELDS.map((field) => `(entry -> 'event' ->> '${field}')`)}) AS named (id)
  WHERE a.execution_id = ANY($1::text[]) AND named.id IS NOT NULL`);

const REMOVE = named(`
  WITH ${EXECUTION_TABLES.map((table) => `of_${table} AS (DELETE FROM ${table} WHERE execution_id = ANY($1::text[]))`)},
    ${NAMED_TABLES.map(({ table, column }) => `of_${table} AS (DELETE FROM ${table} WHERE ${column} = ANY($2::text[]))`)}
  DELETE FROM executions WHERE id = ANY($1::text[])`);

/** What a deletion frees is used again once the server's autovacuum has passed. */
export function createExecutionRows(database: Database): ExecutionRows {
  return {
    after: (id, limit) => repeatRead(() => database.run<AgedExecution>("reads", AFTER, [id, limit])),
    async namedIds(executionIds) {
      const rows = await repeatRead(() => database.run<{ id: string }>("reads", NAMED_IDS, [executionIds]));
      return rows.map(({ id }) => id);
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
