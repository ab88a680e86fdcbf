import type { AgedExecution, ExecutionRows } from "../ended-executions.ts";
import { EXECUTION_TABLES } from "../execution-tables.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";

/** The pages that a deletion frees are used again; the file does not shrink. */
export function createExecutionRows(connection: SqliteConnection, commits: GroupCommit): ExecutionRows {
  const after = connection.prepare<AgedExecution>(
    `SELECT id, created_at, CASE is_open WHEN 0 THEN summary ->> 'finishedAt' END AS finished_at
     FROM executions WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const callIds = connection.prepare<{ id: string }>(
    `SELECT value ->> '$.event.toolCallId' AS id FROM appends, json_each(entries)
     WHERE execution_id IN (SELECT value FROM json_each(?1)) AND id IS NOT NULL
     UNION
     SELECT value ->> '$.event.attemptId' AS id FROM appends, json_each(entries)
     WHERE execution_id IN (SELECT value FROM json_each(?1)) AND id IS NOT NULL`,
  );
  const removeFrom = (table: string, key: string) =>
    connection.prepare(`DELETE FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?))`);
  const byCall = [removeFrom("exchanges", "attempt_id"), removeFrom("call_ids", "id")];
  const byExecution = [
    ...EXECUTION_TABLES.map((table) => removeFrom(table, "execution_id")),
    removeFrom("executions", "id"),
  ];
  return {
    after: (id, limit) => connection.read(() => after.all(id, limit)),
    callIds: (executionIds) => connection.read(() => callIds.all(JSON.stringify(executionIds)).map(({ id }) => id)),
    async remove(executionIds, ids) {
      const [executionsJson, callsJson] = [JSON.stringify(executionIds), JSON.stringify(ids)];
      await commits.write(() => {
        for (const statement of byCall) statement.run(callsJson);
        for (const statement of byExecution) statement.run(executionsJson);
      });
    },
  };
}
