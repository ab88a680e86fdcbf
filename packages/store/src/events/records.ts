import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { readColumns } from "./texts-apart.ts";

/** The stored row of the execution that a record describes. */
export interface StoredSubject {
  readonly executionId: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly startedByKeyId: string | null;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** JSON. */
  readonly request: string;
}

/** A stored append, unparsed. */
export interface StoredAppend {
  /** The number of its last entry. */
  readonly lastSeq: number;
  /** JSON. */
  readonly entries: string;
  /** Its link in the sealed chain; null if it was appended without a seal. */
  readonly link: string | null;
}

/** The current end of a record. */
export interface RecordPosition {
  readonly subject: StoredSubject;
  /** The last append; null if the execution has none. */
  readonly last: { readonly lastSeq: number; readonly link: string | null } | null;
}

/** Reads records exactly as they are stored, so that they can be chained and verified. */
export interface RecordStore {
  position(executionId: string): Promise<RecordPosition | undefined>;
  /** Returns all appends of the execution, in order. */
  appends(executionId: string): Promise<readonly StoredAppend[]>;
}

interface PositionRecord {
  readonly workspace_id: string;
  readonly agent_id: string;
  readonly agent_version: number;
  readonly started_by_key_id: string | null;
  readonly created_at: number;
  readonly request: string;
  readonly last_seq: number | null;
  readonly link: string | null;
}

function* position(executionId: string): UnitOfWork<RecordPosition | undefined> {
  const record = yield* first(sql<PositionRecord>`
    SELECT e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, r.request, a.last_seq, a.link
    FROM executions e JOIN execution_requests r ON r.execution_id = e.id
      LEFT JOIN appends a ON a.execution_id = e.id
        AND a.last_seq = (SELECT max(l.last_seq) FROM appends l WHERE l.execution_id = e.id)
    WHERE e.id = ${executionId}`);
  const [request] = (record && (yield* readColumns(executionId, [record.request]))) ?? [];
  if (record === undefined || request === undefined) return undefined;
  return {
    subject: {
      executionId,
      workspaceId: record.workspace_id,
      agentId: record.agent_id,
      agentVersion: record.agent_version,
      startedByKeyId: record.started_by_key_id,
      createdAt: record.created_at,
      request,
    },
    last: record.last_seq === null ? null : { lastSeq: record.last_seq, link: record.link },
  };
}

function* appends(executionId: string): UnitOfWork<readonly StoredAppend[]> {
  const records = yield* all(sql<{ last_seq: number; entries: string; link: string | null }>`
    SELECT last_seq, entries, link FROM appends WHERE execution_id = ${executionId} ORDER BY last_seq`);
  const appends: StoredAppend[] = [];
  for (const { last_seq, entries, link } of records) {
    const [json] = (yield* readColumns(executionId, [entries])) ?? [];
    if (json !== undefined) appends.push({ lastSeq: last_seq, entries: json, link });
  }
  return appends;
}

/** Creates the reads of records. Each sees only committed data. */
export function createRecordStore(units: UnitRunner): RecordStore {
  return {
    position: (executionId) => units.read(() => position(executionId)),
    appends: (executionId) => units.read(() => appends(executionId)),
  };
}
