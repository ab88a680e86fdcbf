import { executionIdOf } from "@yagate/lib/ids/call-ids";
import type { EventStore, LateResponseRecord } from "../events/event-store.ts";
import { exchangesPattern } from "../events/exchanges.ts";
import { fromJson } from "../json-column.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { toStoreError } from "./store-error.ts";

/** If the messages of the attempt are in the row of an append, the late response gets a row that expires with them. */
const ADD = named(`
  WITH added AS (
    UPDATE exchanges SET late_answer = $1 WHERE attempt_id = $2 AND late_answer IS NULL
  )
  INSERT INTO exchanges (attempt_id, created_at, late_answer)
  SELECT $2::text, exchanged_at, $1::text FROM appends
  WHERE execution_id = coalesce($3::text, (SELECT execution_id FROM call_ids WHERE id = $2))
    AND exchanged_at IS NOT NULL AND exchanges LIKE $4
  LIMIT 1 ON CONFLICT (attempt_id) DO NOTHING`);
const FIND = named(`
  SELECT attempt_id, late_answer FROM exchanges WHERE attempt_id = ANY($1::text[]) AND late_answer IS NOT NULL`);

/** Creates the methods that store and read responses that arrived after the end of their execution. */
export function createLateResponses(database: Database): Pick<EventStore, "addLateResponse" | "lateResponses"> {
  return {
    async addLateResponse(attemptId, late) {
      try {
        const values = [JSON.stringify(late), attemptId, executionIdOf(attemptId) ?? null, exchangesPattern(attemptId)];
        await database.run("writes", ADD, values);
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
