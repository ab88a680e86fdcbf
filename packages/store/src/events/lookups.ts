import { executionIdOf } from "@yagate/lib/ids/call-ids";
import type { Page, PageQuery } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import type { EventEntry, EventStore } from "./event-store.ts";
import { readMessages } from "./exchanges.ts";
import { executionPage, type MetadataPair } from "./execution-list.ts";
import { type ExecutionRecord, toExecutionRow } from "./execution-record.ts";
import type { ExecutionFilter, ExecutionRow, UsedKey } from "./execution-row.ts";
import { keyConflict } from "./key-conflict.ts";
import { readColumns, readRecord } from "./texts-apart.ts";

type Lookups = Pick<
  EventStore,
  | "entries"
  | "entryPage"
  | "find"
  | "findAny"
  | "findKeyed"
  | "lastSeqOf"
  | "list"
  | "findToolCall"
  | "findAttempt"
  | "workspaceOf"
>;

/** A page ends with the append that brings its entries to this many bytes, or after {@link PAGE_APPENDS} appends. */
const PAGE_BYTES = 262_144;
const PAGE_APPENDS = 64;

function* entries(executionId: string, afterSeq: number): UnitOfWork<readonly EventEntry[]> {
  const appends = yield* all(sql<{ entries: string }>`
    SELECT entries FROM appends WHERE execution_id = ${executionId} AND last_seq > ${afterSeq} ORDER BY last_seq`);
  return yield* toEntries(executionId, appends, afterSeq);
}

function* entryPage(executionId: string, afterSeq: number): UnitOfWork<Awaited<ReturnType<EventStore["entryPage"]>>> {
  // In the short form (see texts-apart.ts), the twelve digits after the mark are the size of the entries including
  // their separately stored texts.
  const appends = yield* all(sql<{ entries: string; bytes: number }>`
    SELECT entries, bytes FROM (
      SELECT entries, size, last_seq, CAST(sum(size) OVER (ORDER BY last_seq) AS BIGINT) AS bytes
      FROM (
        SELECT entries, last_seq,
               CASE WHEN octet_length(entries) < ${PAGE_BYTES} AND substr(entries, 1, 2) = '~1'
                    THEN CAST(substr(entries, 3, 12) AS BIGINT) ELSE octet_length(entries) END AS size
        FROM appends WHERE execution_id = ${executionId} AND last_seq > ${afterSeq}
        ORDER BY last_seq LIMIT ${PAGE_APPENDS}
      ) AS next
    ) AS counted WHERE bytes - size < ${PAGE_BYTES} ORDER BY last_seq`);
  const isFull = appends.length === PAGE_APPENDS || (appends.at(-1)?.bytes ?? 0) >= PAGE_BYTES;
  return { entries: yield* toEntries(executionId, appends, afterSeq), isLast: !isFull };
}

/** Parses appends into entries. Drops entries up to `afterSeq`, which the first append may also contain. */
function* toEntries(
  executionId: string,
  appends: readonly { readonly entries: string }[],
  afterSeq: number,
): UnitOfWork<readonly EventEntry[]> {
  const columns = yield* readColumns(
    executionId,
    appends.map((append) => append.entries),
  );
  return (columns ?? []).flatMap((json) => fromJson<EventEntry[]>(json)).filter(({ event }) => event.seq > afterSeq);
}

function* toRow(record: ExecutionRecord | undefined): UnitOfWork<ExecutionRow | undefined> {
  const read = record && (yield* readRecord(record));
  return read && toExecutionRow(read);
}

function* find(executionId: string, workspaceId: string): UnitOfWork<ExecutionRow | undefined> {
  const record = yield* first(sql<ExecutionRecord>`
    SELECT e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
           e.status, e.summary, r.request
    FROM executions e JOIN execution_requests r ON r.execution_id = e.id
    WHERE e.id = ${executionId} AND e.workspace_id = ${workspaceId}`);
  return yield* toRow(record);
}

function* findAny(executionId: string): UnitOfWork<ExecutionRow | undefined> {
  const record = yield* first(sql<ExecutionRecord>`
    SELECT e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
           e.status, e.summary, r.request
    FROM executions e JOIN execution_requests r ON r.execution_id = e.id
    WHERE e.id = ${executionId}`);
  return yield* toRow(record);
}

function* findKeyed({ scope, key, bodyHash }: UsedKey, at: EpochMs): UnitOfWork<ExecutionRow | undefined> {
  const used = yield* first(sql<{ execution_id: string; body_hash: string }>`
    SELECT execution_id, body_hash FROM idempotency_keys
    WHERE scope = ${scope} AND key = ${key} AND expires_at > ${at}`);
  if (used === undefined) return undefined;
  if (used.body_hash !== bodyHash) throw keyConflict();
  return yield* findAny(used.execution_id);
}

/** Returns the number of the last event. It does not read the request, which can be several megabytes long. */
function* lastSeqOf(executionId: string, workspaceId: string): UnitOfWork<number | undefined> {
  const record = yield* first(sql<{ last_seq: number }>`
    SELECT last_seq FROM executions WHERE id = ${executionId} AND workspace_id = ${workspaceId}`);
  return record?.last_seq;
}

function* workspaceOf(executionId: string): UnitOfWork<string | undefined> {
  const record = yield* first(sql<{ workspace_id: string }>`
    SELECT workspace_id FROM executions WHERE id = ${executionId}`);
  return record?.workspace_id;
}

function* list(
  workspaceId: string,
  pageQuery: PageQuery,
  filter: ExecutionFilter,
  pairOf: MetadataPair,
): UnitOfWork<Page<ExecutionRow>> {
  const page = yield* executionPage(workspaceId, pageQuery, filter, pairOf);
  const rows: ExecutionRow[] = [];
  for (const record of page.data) {
    const row = yield* toRow(record);
    if (row !== undefined) rows.push(row);
  }
  return { ...page, data: rows };
}

/** Finds the execution that the id of a call or an attempt names, in this workspace. */
function* findExecutionOf(
  id: string,
  kind: "toolCall" | "attempt",
  workspaceId: string,
): UnitOfWork<string | undefined> {
  const executionId = executionIdOf(id);
  if (executionId !== undefined) {
    return (yield* lastSeqOf(executionId, workspaceId)) === undefined ? undefined : executionId;
  }
  const record = yield* first(sql<{ execution_id: string; tool_call_id: string | null }>`
    SELECT c.execution_id, c.tool_call_id FROM call_ids c JOIN executions e ON e.id = c.execution_id
    WHERE c.id = ${id} AND e.workspace_id = ${workspaceId}`);
  const isOfKind = record !== undefined && (record.tool_call_id === null) === (kind === "toolCall");
  return isOfKind ? record.execution_id : undefined;
}

function* findToolCall(
  toolCallId: string,
  workspaceId: string,
): UnitOfWork<{ readonly executionId: string } | undefined> {
  const executionId = yield* findExecutionOf(toolCallId, "toolCall", workspaceId);
  return executionId === undefined ? undefined : { executionId };
}

function* findAttempt(
  attemptId: string,
  workspaceId: string,
): UnitOfWork<Awaited<ReturnType<EventStore["findAttempt"]>>> {
  const executionId = yield* findExecutionOf(attemptId, "attempt", workspaceId);
  if (executionId === undefined) return undefined;
  const { request, response } = yield* readMessages(executionId, attemptId);
  return { executionId, request, response };
}

/** Creates the reads of the event store. Each sees only committed data. */
export function createLookups(units: UnitRunner, pairOf: MetadataPair): Lookups {
  return {
    entries: (executionId, afterSeq) => units.read(() => entries(executionId, afterSeq)),
    entryPage: (executionId, afterSeq) => units.read(() => entryPage(executionId, afterSeq)),
    find: (executionId, workspaceId) => units.read(() => find(executionId, workspaceId)),
    findAny: (executionId) => units.read(() => findAny(executionId)),
    findKeyed: (idempotency, at) => units.read(() => findKeyed(idempotency, at)),
    lastSeqOf: (executionId, workspaceId) => units.read(() => lastSeqOf(executionId, workspaceId)),
    workspaceOf: (executionId) => units.read(() => workspaceOf(executionId)),
    list: (workspaceId, page, filter = {}) => units.read(() => list(workspaceId, page, filter, pairOf)),
    findToolCall: (toolCallId, workspaceId) => units.read(() => findToolCall(toolCallId, workspaceId)),
    findAttempt: (attemptId, workspaceId) => units.read(() => findAttempt(attemptId, workspaceId)),
  };
}
