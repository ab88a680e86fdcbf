import type { EventStore, LateResponseRecord } from "../events/event-store.ts";
import { fromJson } from "../json-column.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Creates the methods that store and read responses that arrived after the end of their execution. */
export function createLateResponses(
  connection: SqliteConnection,
  commits: GroupCommit,
): Pick<EventStore, "addLateResponse" | "lateResponses"> {
  const add = connection.prepare("UPDATE exchanges SET late_answer = ? WHERE attempt_id = ? AND late_answer IS NULL");
  const find = connection.prepare<{ late_answer: string }>(
    "SELECT late_answer FROM exchanges WHERE attempt_id = ? AND late_answer IS NOT NULL",
  );
  return {
    async addLateResponse(attemptId, late) {
      const text = JSON.stringify(late);
      await commits.write(() => add.run(text, attemptId));
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
