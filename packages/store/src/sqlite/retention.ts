import {
  type AgedExecution,
  EXECUTION_TABLES,
  type ExecutionRows,
  NAMED_TABLES,
  NAMING_FIELDS,
} from "../events/ended-executions.ts";
import { shortJsonOf } from "../events/texts-apart.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createUncounting } from "./stored-bytes.ts";

/** Creates the queries for deleting old executions. Freed pages are reused; the file does not shrink. */
export function createExecutionRows(connection: SqliteConnection, commits: GroupCommit): ExecutionRows {
  const after = connection.prepare<AgedExecution>(
    `SELECT id, created_at, CASE is_open WHEN 0 THEN summary END AS ended_summary
     FROM executions WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const namedIds = connection.prepare<{ id: string }>(
    NAMING_FIELDS.map(
      (field) => `
        SELECT entry.value ->> '$.event.${field}' AS id FROM appends, json_each(${shortJsonOf("appends.entries")}) AS entry
        WHERE execution_id IN (SELECT value FROM json_each(?1)) AND entry.value ->> '$.event.${field}' IS NOT NULL`,
    ).join(" UNION "),
  );
  const uncounting = createUncounting(connection);
  const removeFrom = (table: string, key: string) =>
    connection.prepare(`DELETE FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?))`);
  const byName = NAMED_TABLES.map(({ table, column }) => removeFrom(table, column));
  const byExecution = [
    ...EXECUTION_TABLES.map((table) => removeFrom(table, "execution_id")),
    removeFrom("executions", "id"),
  ];
  return {
    after: (id, limit) => connection.read(() => after.all(id, limit)),
    namedIds: (executionIds) => connection.read(() => namedIds.all(JSON.stringify(executionIds)).map(({ id }) => id)),
    async remove(executionIds, ids) {
      const [executionsJson, namedJson] = [JSON.stringify(executionIds), JSON.stringify(ids)];
      await commits.write(() => {
        uncounting.takeOff("exchanges", namedJson);
        for (const table of EXECUTION_TABLES) uncounting.takeOff(table, executionsJson);
        for (const statement of byName) statement.run(namedJson);
        for (const statement of byExecution) statement.run(executionsJson);
        for (const table of ["exchanges", ...EXECUTION_TABLES] as const) uncounting.moveBack(table);
      });
    },
  };
}
