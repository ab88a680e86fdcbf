import type { RecordedMessage } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import { fromJson } from "../json-column.ts";
import type { ExecutionJournal, JournalEntry } from "../port.ts";
import type { SqliteConnection } from "./connection.ts";
import { type ExecutionRecord, SELECT_EXECUTIONS, toExecutionRow } from "./execution-record.ts";

type Lookups = Pick<ExecutionJournal, "entries" | "find" | "list" | "findToolCall" | "findAttempt">;

interface AttemptRecord {
  readonly execution_id: string;
  readonly tool_call_id: string;
  readonly request: string | null;
  readonly response: string | null;
}

const toMessage = (json: string | null) => (json === null ? null : fromJson<RecordedMessage>(json));

/** Makes the reads of the journal. Each sees only what was committed. */
export function createLookups(connection: SqliteConnection): Lookups {
  const selectAppends = connection.prepare<{ entries: string }>(
    "SELECT entries FROM appends WHERE execution_id = ? AND last_seq > ? ORDER BY last_seq",
  );
  const selectOne = connection.prepare<ExecutionRecord>(`${SELECT_EXECUTIONS} WHERE e.id = ? AND e.workspace_id = ?`);
  const selectPage = connection.prepare<ExecutionRecord>(
    `${SELECT_EXECUTIONS} WHERE e.workspace_id = ? AND e.id < ? ORDER BY e.id DESC LIMIT ?`,
  );
  const selectToolCall = connection.prepare<{ execution_id: string }>(
    `SELECT t.execution_id FROM call_ids t JOIN executions e ON e.id = t.execution_id
     WHERE t.id = ? AND t.tool_call_id IS NULL AND e.workspace_id = ?`,
  );
  const selectAttempt = connection.prepare<AttemptRecord>(
    `SELECT a.execution_id, a.tool_call_id, x.request, x.response
     FROM call_ids a JOIN executions e ON e.id = a.execution_id LEFT JOIN exchanges x ON x.attempt_id = a.id
     WHERE a.id = ? AND a.tool_call_id IS NOT NULL AND e.workspace_id = ?`,
  );

  return {
    entries: (executionId, afterSeq) =>
      connection.read(() =>
        selectAppends
          .all(executionId, afterSeq)
          .flatMap(({ entries }) => fromJson<JournalEntry[]>(entries))
          // The first append may hold events that the reader has seen.
          .filter(({ event }) => event.seq > afterSeq),
      ),
    find: (executionId, workspaceId) =>
      connection.read(() => {
        const record = selectOne.get(executionId, workspaceId);
        return record && toExecutionRow(record);
      }),
    list: (workspaceId, { limit, cursor }) =>
      connection.read(() =>
        toPage(selectPage.all(workspaceId, idBelow(cursor), limit + 1), limit, (row) => row.id, toExecutionRow),
      ),
    findToolCall: (toolCallId, workspaceId) =>
      connection.read(() => {
        const record = selectToolCall.get(toolCallId, workspaceId);
        return record && { executionId: record.execution_id };
      }),
    findAttempt: (attemptId, workspaceId) =>
      connection.read(() => {
        const record = selectAttempt.get(attemptId, workspaceId);
        if (record === undefined) return undefined;
        return {
          executionId: record.execution_id,
          toolCallId: record.tool_call_id,
          request: toMessage(record.request),
          response: toMessage(record.response),
        };
      }),
  };
}
