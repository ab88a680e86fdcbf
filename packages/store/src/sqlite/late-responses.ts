import { executionIdOf } from "@yagate/lib/ids/call-ids";
import type { EventStore, LateResponseRecord } from "../events/event-store.ts";
import { exchangesPattern } from "../events/exchanges.ts";
import { fromJson } from "../json-column.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Creates the methods that store and read responses that arrived after the end of their execution. */
export function createLateResponses(
  connection: SqliteConnection,
  commits: GroupCommit,
): Pick<EventStore, "addLateResponse" | "lateResponses"> {
  const add = connection.prepare("UPDATE exchanges SET late_answer = ? WHERE attempt_id = ? AND late_answer IS NULL");
  // The messages of the attempt are in the row of an append, so the late response gets a row that expires with them.
  const addRow = connection.prepare(
    `INSERT INTO exchanges (attempt_id, created_at, late_answer)
     SELECT ?1, exchanged_at, ?2 FROM appends
     WHERE execution_id = coalesce(?3, (SELECT execution_id FROM call_ids WHERE id = ?1))
       AND exchanged_at IS NOT NULL AND exchanges LIKE ?4
     LIMIT 1 ON CONFLICT (attempt_id) DO NOTHING`,
  );
  const find = connection.prepare<{ late_answer: string }>(
    "SELECT late_answer FROM exchanges WHERE attempt_id = ? AND late_answer IS NOT NULL",
  );
  return {
    async addLateResponse(attemptId, late) {
      const text = JSON.stringify(late);
      const values = [attemptId, text, executionIdOf(attemptId) ?? null, exchangesPattern(attemptId)] as const;
      await commits.write(() => add.run(text, attemptId) > 0 || addRow.run(...values));
    },
    lateResponses: (attemptIds) =>
      connection.read(() => {
        const found = new Map<string, LateResponseRecord>();
        for (const id of attemptIds) {
          const record = find.get(id);
          if (record !== undefined) found.set(id, fromJson<LateResponseRecord>(record.late_answer));
        }
        return found;
      }),
  };
}
