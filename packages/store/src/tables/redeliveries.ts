import type { Attempt, RecordedMessage } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type AuditRow, insertAuditRow } from "./audit.ts";

/** Redeliveries of one tool call that are kept: the newest. */
export const MAX_KEPT_REDELIVERIES = 20;

/** An attempt that repeated an ended tool call, outside of the event log of its execution. */
export interface RedeliveryRow {
  /** The id of the attempt. */
  readonly id: string;
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  readonly at: EpochMs;
  readonly attempt: Attempt;
}

/** The request and the response of a redelivery; null once they are too old. */
export interface RedeliveryMessages {
  readonly request: RecordedMessage | null;
  readonly response: RecordedMessage | null;
}

export interface RedeliveryStore {
  /** Stores a redelivery before it is sent, with its audit entry, and deletes the oldest ones of the call. */
  add(redelivery: RedeliveryRow, audit?: AuditRow): Promise<void>;
  /** Stores how a redelivery ended. */
  finish(id: string, attempt: Attempt, messages: RedeliveryMessages): Promise<void>;
  /** Returns the redeliveries of a tool call, oldest first. */
  list(workspaceId: string, toolCallId: string): Promise<readonly RedeliveryRow[]>;
  find(workspaceId: string, id: string): Promise<(RedeliveryRow & RedeliveryMessages) | undefined>;
}

interface RedeliveryRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly execution_id: string;
  readonly tool_call_id: string;
  readonly at: number;
  readonly attempt: string;
}

const toRow = (record: RedeliveryRecord): RedeliveryRow => ({
  id: record.id,
  workspaceId: record.workspace_id,
  executionId: record.execution_id,
  toolCallId: record.tool_call_id,
  at: record.at,
  attempt: fromJson<Attempt>(record.attempt),
});

function* add(row: RedeliveryRow, audit?: AuditRow): UnitOfWork<void> {
  const { id, workspaceId, executionId, toolCallId, at, attempt } = row;
  yield* first(sql`
    INSERT INTO redeliveries (id, workspace_id, execution_id, tool_call_id, at, attempt)
    VALUES (${id}, ${workspaceId}, ${executionId}, ${toolCallId}, ${at}, ${JSON.stringify(attempt)})`);
  yield* all(sql`
    DELETE FROM redeliveries WHERE tool_call_id = ${toolCallId} AND id NOT IN (
      SELECT id FROM redeliveries WHERE tool_call_id = ${toolCallId} ORDER BY id DESC LIMIT ${MAX_KEPT_REDELIVERIES})`);
  if (audit !== undefined) yield* insertAuditRow(audit);
}

function* finish(id: string, attempt: Attempt, messages: RedeliveryMessages): UnitOfWork<void> {
  yield* first(sql`
    UPDATE redeliveries SET attempt = ${JSON.stringify(attempt)}, messages = ${JSON.stringify(messages)}
    WHERE id = ${id}`);
}

function* list(workspaceId: string, toolCallId: string): UnitOfWork<readonly RedeliveryRow[]> {
  const records = yield* all(sql<RedeliveryRecord>`
    SELECT id, workspace_id, execution_id, tool_call_id, at, attempt FROM redeliveries
    WHERE tool_call_id = ${toolCallId} AND workspace_id = ${workspaceId} ORDER BY id`);
  return records.map(toRow);
}

function* find(workspaceId: string, id: string): UnitOfWork<(RedeliveryRow & RedeliveryMessages) | undefined> {
  const record = yield* first(sql<RedeliveryRecord & { readonly messages: string | null }>`
    SELECT id, workspace_id, execution_id, tool_call_id, at, attempt, messages FROM redeliveries
    WHERE id = ${id} AND workspace_id = ${workspaceId}`);
  if (record === undefined) return undefined;
  const messages =
    record.messages === null ? { request: null, response: null } : fromJson<RedeliveryMessages>(record.messages);
  return { ...toRow(record), ...messages };
}

export function createRedeliveryStore(units: UnitRunner): RedeliveryStore {
  return {
    add: (...redelivery) => units.write(() => add(...redelivery)),
    finish: (...end) => units.write(() => finish(...end)),
    list: (...call) => units.read(() => list(...call)),
    find: (...redelivery) => units.read(() => find(...redelivery)),
  };
}
