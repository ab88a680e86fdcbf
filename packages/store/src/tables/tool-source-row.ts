import {
  DEFAULT_SYNC_INTERVAL_SECONDS,
  type SkippedTool,
  type ToolSourceKind,
  type ToolSourceSettings,
  type ToolSourceStatus,
} from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";

/** A tool source. */
export interface ToolSourceRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly kind: ToolSourceKind;
  readonly settings: ToolSourceSettings;
  /** Increases with every change of the settings. */
  readonly revision: number;
  readonly status: ToolSourceStatus;
  readonly statusAt: EpochMs;
  /** Why the latest sync failed; null if it succeeded. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  /** The tools of the latest successful sync that cannot be used. */
  readonly skippedTools: readonly SkippedTool[];
  /** Increases with every change to the tools. */
  readonly generation: number;
  /** When the next sync starts; null if the source is synced only on request. */
  readonly nextSyncAt: EpochMs | null;
  /** Number of failed syncs in a row. */
  readonly syncFailures: number;
  /** When the latest successful sync ended; null before the first one. */
  readonly syncedAt: EpochMs | null;
  /** Number of reads that have started. Each read has the number that it got when it started. */
  readonly reads: number;
  /** Number of the read whose outcome was stored last. */
  readonly storedRead: number;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** A row of `tool_sources`. */
export interface SourceRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly kind: ToolSourceKind;
  readonly settings: string;
  readonly revision: number;
  readonly status: ToolSourceStatus;
  readonly status_at: number;
  readonly reason: string | null;
  readonly skipped_tools: string | null;
  readonly generation: number;
  readonly next_sync_at: number | null;
  readonly sync_failures: number;
  readonly synced_at: number | null;
  readonly reads: number;
  readonly stored_read: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The columns of a {@link SourceRecord}. */
export const SOURCE_COLUMNS = sql`
  id, workspace_id, name, kind, settings, revision, status, status_at, reason, skipped_tools, generation, next_sync_at,
  sync_failures, synced_at, reads, stored_read, created_at, updated_at`;

export function toSourceRow(record: SourceRecord): ToolSourceRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    kind: record.kind,
    settings: toSettings(record),
    revision: Number(record.revision),
    status: record.status,
    statusAt: Number(record.status_at),
    reason: record.reason === null ? null : fromJson(record.reason),
    skippedTools: record.skipped_tools === null ? [] : fromJson(record.skipped_tools),
    generation: Number(record.generation),
    nextSyncAt: toTime(record.next_sync_at),
    syncFailures: Number(record.sync_failures),
    syncedAt: toTime(record.synced_at),
    reads: Number(record.reads),
    storedRead: Number(record.stored_read),
    createdAt: Number(record.created_at),
    updatedAt: Number(record.updated_at),
  };
}

/** Settings without a kind or an interval were stored by earlier versions. */
function toSettings({ kind, settings }: SourceRecord): ToolSourceSettings {
  const missing = { kind, syncIntervalSeconds: DEFAULT_SYNC_INTERVAL_SECONDS };
  return Object.assign(missing, fromJson<ToolSourceSettings>(settings));
}

function toTime(value: number | null): EpochMs | null {
  return value === null ? null : Number(value);
}

/** Whether a source exists and is not deleted. */
export function* isLiveSource(workspaceId: string, sourceId: string): UnitOfWork<boolean> {
  const row = yield* first(sql<{ id: string }>`
    SELECT id FROM tool_sources WHERE id = ${sourceId} AND workspace_id = ${workspaceId} AND archived_at IS NULL`);
  return row !== undefined;
}
