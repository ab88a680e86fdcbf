import type { ExecutionEvent, JsonValue, RecordedMessage } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import { fromJson } from "../json-column.ts";
import type { ExecutionJournal } from "../port.ts";
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
  const selectEvents = connection.prepare<{ event: string; assistant_message: string | null }>(
    "SELECT event, assistant_message FROM events WHERE execution_id = ? AND seq > ? ORDER BY seq",
  );
  const selectOne = connection.prepare<ExecutionRecord>(`${SELECT_EXECUTIONS} WHERE e.id = ? AND e.workspace_id = ?`);
  const selectPage = connection.prepare<ExecutionRecord>(
    `${SELECT_EXECUTIONS} WHERE e.workspace_id = ? AND e.id < ? ORDER BY e.id DESC LIMIT ?`,
  );
  const selectToolCall = connection.prepare<{ execution_id: string }>(
    `SELECT t.execution_id FROM tool_calls t JOIN executions e ON e.id = t.execution_id
     WHERE t.id = ? AND e.workspace_id = ?`,
  );
  const selectAttempt = connection.prepare<AttemptRecord>(
    `SELECT a.execution_id, a.tool_call_id, x.request, x.response
     FROM attempts a JOIN executions e ON e.id = a.execution_id LEFT JOIN exchanges x ON x.attempt_id = a.id
     WHERE a.id = ? AND e.workspace_id = ?`,
  );

  return {
    entries: (executionId, afterSeq) =>
      connection.read(() =>
        selectEvents.all(executionId, afterSeq).map(({ event, assistant_message }) => ({
          event: fromJson<ExecutionEvent>(event),
          ...(assistant_message !== null && { assistantMessage: fromJson<JsonValue>(assistant_message) }),
        })),
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
