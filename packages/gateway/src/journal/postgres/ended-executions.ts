import type { AgedExecution, ExecutionRows } from "../ended-executions.ts";
import { EXECUTION_TABLES, NAMED_TABLES } from "../execution-tables.ts";
import { idsNamedIn } from "../named-ids.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { toStoreError } from "./store-error.ts";

const AFTER = named(`
  SELECT id, created_at, CASE is_open WHEN 0 THEN summary END AS ended_summary
  FROM executions WHERE id > $1 ORDER BY id LIMIT $2`);

const ENTRIES = named("SELECT entries FROM appends WHERE execution_id = $1");

const REMOVE = named(`
  WITH ${EXECUTION_TABLES.map((table) => `of_${table} AS (DELETE FROM ${table} WHERE execution_id = ANY($1::text[]))`)},
    ${NAMED_TABLES.map(({ table, column }) => `of_${table} AS (DELETE FROM ${table} WHERE ${column} = ANY($2::text[]))`)}
  DELETE FROM executions WHERE id = ANY($1::text[])`);

/**
 * What a deletion frees is used again once the server's autovacuum has passed.
 *
 * JSON is read here and not by the server: its operators refuse texts with U+0000 and half surrogate pairs, which
 * tenants and handlers may send.
 */
export function createExecutionRows(database: Database): ExecutionRows {
  return {
    after: (id, limit) => repeatRead(() => database.run<AgedExecution>("reads", AFTER, [id, limit])),
    async namedIds(executionIds) {
      const ids = new Set<string>();
      // One log at a time: they may be long.
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
