import type { RecordedMessage } from "@yagate/protocol";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork } from "../unit-of-work.ts";
import type { AttemptExchange } from "./event-store.ts";

/** The messages of an attempt; null if they were not recorded or have been deleted. */
export type Messages = Pick<AttemptExchange, "request" | "response">;

/**
 * Returns the `LIKE` pattern for the column `exchanges` of an append with the messages of this attempt. The pattern may
 * also find other appends, because `LIKE` ignores case and `_` stands for any character.
 */
export function exchangesPattern(attemptId: string): string {
  return `%"attemptId":"${attemptId}"%`;
}

const toMessage = (json: string | null) => (json === null ? null : fromJson<RecordedMessage>(json));

/** Reads the messages of an attempt, from the row of their append or, as earlier versions stored them, from their own. */
export function* readMessages(executionId: string, attemptId: string): UnitOfWork<Messages> {
  const appends = yield* all(sql<{ exchanges: string }>`
    SELECT exchanges FROM appends
    WHERE execution_id = ${executionId} AND exchanged_at IS NOT NULL AND exchanges LIKE ${exchangesPattern(attemptId)}`);
  const stored = appends.flatMap(({ exchanges }) => fromJson<readonly AttemptExchange[]>(exchanges));
  const found = stored.findLast((exchange) => exchange.attemptId === attemptId);
  if (found !== undefined) return found;
  const row = yield* first(sql<{ request: string | null; response: string | null }>`
    SELECT request, response FROM exchanges WHERE attempt_id = ${attemptId}`);
  return { request: toMessage(row?.request ?? null), response: toMessage(row?.response ?? null) };
}
