import type { EventStore, LateResponseRecord } from "../events/event-store.ts";
import { fromJson } from "../json-column.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { toStoreError } from "./store-error.ts";

const ADD = named("UPDATE exchanges SET late_answer = $1 WHERE attempt_id = $2 AND late_answer IS NULL");
const FIND = named(`
  SELECT attempt_id, late_answer FROM exchanges WHERE attempt_id = ANY($1::text[]) AND late_answer IS NOT NULL`);

/** Creates the methods that store and read responses that arrived after the end of their execution. */
export function createLateResponses(database: Database): Pick<EventStore, "addLateResponse" | "lateResponses"> {
  return {
    async addLateResponse(attemptId, late) {
      try {
        await database.run("writes", ADD, [JSON.stringify(late), attemptId]);
      } catch (error) {
        throw toStoreError(error);
      }
    },
    async lateResponses(attemptIds) {
      if (attemptIds.length === 0) return new Map();
      const rows = await repeatRead(() =>
        database.run<{ attempt_id: string; late_answer: string }>("reads", FIND, [attemptIds]),
      );
      return new Map(rows.map((row) => [row.attempt_id, fromJson<LateResponseRecord>(row.late_answer)]));
    },
  };
}
