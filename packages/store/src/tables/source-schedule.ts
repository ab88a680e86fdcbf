import type { ToolSourceStatus } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import { joinSql, sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { isLiveSource, SOURCE_COLUMNS, type SourceRecord, type ToolSourceRow, toSourceRow } from "./tool-source-row.ts";

/** The lease of a read: no scheduled sync of the source starts before `until`, unless the outcome is stored earlier. */
export interface ReadLease {
  readonly now: EpochMs;
  readonly until: EpochMs;
}

/** The tool sources of all workspaces, as numbers. */
export interface ToolSourceTotals {
  /** Number of sources by status; statuses without sources are missing. */
  readonly byStatus: ReadonlyMap<ToolSourceStatus, number>;
  /** Number of tools that are published with a definition that is not accepted. */
  readonly held: number;
  /**
   * The earliest time of the latest successful syncs, or of the creation of a source without one; null without sources.
   * Sources that are synced only on request do not count.
   */
  readonly oldestSyncAt: EpochMs | null;
}

/** When sources are read, in any process. */
export interface SourceSchedule {
  /** Starts a read of a source. @returns the source with the number of the read; undefined if there is no such source. */
  beginRead(workspaceId: string, sourceId: string, lease: ReadLease): Promise<ToolSourceRow | undefined>;
  /**
   * Starts reads of up to `limit` sources of any workspace whose sync is due. Each is due in one process only, because
   * the lease moves its next sync.
   */
  claimDue(claim: ReadLease & { readonly limit: number }): Promise<readonly ToolSourceRow[]>;
  /**
   * Makes the next sync of a source due, but no earlier than `spacingMs` after the start of its latest read. A source
   * that is synced only on request stays so.
   */
  requestSync(sourceId: string, request: { readonly now: EpochMs; readonly spacingMs: number }): Promise<void>;
  totals(): Promise<ToolSourceTotals>;
}

function* begin(sourceId: string, { now, until }: ReadLease): UnitOfWork<ToolSourceRow | undefined> {
  const record = yield* first(
    joinSql<SourceRecord>([
      sql`
    UPDATE tool_sources
    SET reads = reads + 1, read_at = ${now}, next_sync_at = CASE WHEN next_sync_at IS NULL THEN next_sync_at ELSE ${until} END
    WHERE id = ${sourceId} AND archived_at IS NULL RETURNING`,
      SOURCE_COLUMNS,
    ]),
  );
  return record && toSourceRow(record);
}

function* beginRead(workspaceId: string, sourceId: string, lease: ReadLease): UnitOfWork<ToolSourceRow | undefined> {
  return (yield* isLiveSource(workspaceId, sourceId)) ? yield* begin(sourceId, lease) : undefined;
}

function* findDue(now: EpochMs, limit: number): UnitOfWork<readonly { readonly id: string }[]> {
  return yield* all(sql<{ id: string }>`
    SELECT id FROM tool_sources WHERE archived_at IS NULL AND next_sync_at <= ${now}
    ORDER BY next_sync_at, id LIMIT ${limit}`);
}

function* claimDue(now: EpochMs, until: EpochMs, limit: number): UnitOfWork<readonly ToolSourceRow[]> {
  const claimed: ToolSourceRow[] = [];
  for (const { id } of yield* findDue(now, limit)) {
    const source = yield* begin(id, { now, until });
    if (source !== undefined) claimed.push(source);
  }
  return claimed;
}

function* requestSync(sourceId: string, now: EpochMs, spacingMs: number): UnitOfWork<void> {
  yield* first(sql`
    UPDATE tool_sources
    SET next_sync_at = CASE WHEN read_at + ${spacingMs} > ${now} THEN read_at + ${spacingMs} ELSE ${now} END
    WHERE id = ${sourceId} AND archived_at IS NULL AND next_sync_at > ${now} AND next_sync_at > read_at + ${spacingMs}`);
}

function* readTotals(): UnitOfWork<ToolSourceTotals> {
  const rows = yield* all(sql<{ status: ToolSourceStatus; count: number; held: number; oldest: number | null }>`
    SELECT status, count(*) AS count, sum(held_tools) AS held,
           min(CASE WHEN next_sync_at IS NULL THEN NULL ELSE coalesce(synced_at, created_at) END) AS oldest
    FROM tool_sources WHERE archived_at IS NULL GROUP BY status`);
  const times = rows.flatMap(({ oldest }) => (oldest === null ? [] : [Number(oldest)]));
  return {
    byStatus: new Map(rows.map(({ status, count }) => [status, Number(count)])),
    held: rows.reduce((sum, { held }) => sum + Number(held), 0),
    oldestSyncAt: times.length === 0 ? null : Math.min(...times),
  };
}

export function createSourceSchedule(units: UnitRunner): SourceSchedule {
  return {
    beginRead: (workspaceId, sourceId, lease) => units.write(() => beginRead(workspaceId, sourceId, lease)),
    async claimDue({ now, until, limit }) {
      // Most looks find nothing, and a read costs no commit.
      const due = await units.read(() => findDue(now, 1));
      return due.length === 0 ? [] : units.write(() => claimDue(now, until, limit));
    },
    requestSync: (sourceId, { now, spacingMs }) => units.write(() => requestSync(sourceId, now, spacingMs)),
    totals: () => units.read(readTotals),
  };
}
