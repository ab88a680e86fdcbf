import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { type AuditEntry, type Page, YagateError } from "@yagate/protocol";
import { idBelow, toCursor, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** A stored entry of the audit log. */
export interface AuditRow {
  readonly id: string;
  /** The workspace that was changed. */
  readonly workspaceId: string;
  readonly at: EpochMs;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** The API key that made the change; null if the change was not made with a stored API key. */
  readonly keyId: string | null;
  /** The complete public entry as JSON. */
  readonly entry: string;
}

/**
 * Creates the audit log entry for a change from the states before and after it (null: the resource did not exist). It
 * is called inside the unit of work that makes the change, which may run twice. Returns undefined if nothing changed.
 */
export type Audit<Resource> = (before: Resource | null, after: Resource | null) => AuditRow | undefined;

/** How the audit log shows one kind of resource. */
export interface AuditSubject<Resource> {
  readonly type: string;
  readonly idOf: (resource: Resource) => string;
  readonly nameOf?: (resource: Resource) => string;
  /** Returns the public fields of the resource, never a secret value. */
  readonly show: (resource: Resource) => object;
  /** Whether two equal states still count as a change, because the changed value (a secret) is not shown. */
  readonly isAlwaysChanged?: boolean;
}

/** Creates the audit log entries for one request, or for one start of the gateway. */
export interface ChangeRecorder {
  /** @param workspaceId - the changed workspace. */
  of<Resource>(workspaceId: string, action: string, subject: AuditSubject<Resource>): Audit<Resource>;
}

/** Conditions for entries. All given conditions must match. */
export interface AuditFilter {
  readonly workspaceId: string;
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly keyId?: string | undefined;
  /** At or after this time. */
  readonly since?: EpochMs | undefined;
  /** Before this time. */
  readonly until?: EpochMs | undefined;
}

/** The audit log. Entries are written together with their changes; see {@link Audit}. */
export interface AuditStore {
  /**
   * Lists entries, newest first.
   * @param page.signal - abort it when the client disconnects. The page then contains only the entries found so far.
   */
  list(
    filter: AuditFilter,
    page: { readonly limit: number; readonly cursor?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<Page<AuditEntry>>;
  /** Writes an entry for something that changes no resource, such as a grant in the configuration. */
  append(row: AuditRow): Promise<void>;
  /** Deletes up to `limit` entries older than a given time, oldest first. @returns the number of deleted entries. */
  deleteBefore(before: EpochMs, limit: number): Promise<number>;
}

interface AuditRecord {
  readonly id: string;
  readonly at: number;
  readonly entry: string;
}

/** Writes one audit log entry. */
export function* insertAuditRow(row: AuditRow): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO audit_entries (id, workspace_id, at, action, resource_type, resource_id, key_id, entry)
    VALUES (${row.id}, ${row.workspaceId}, ${row.at}, ${row.action}, ${row.resourceType}, ${row.resourceId},
            ${row.keyId}, ${row.entry})`);
}

/** Writes the audit log entry for a change, in the unit of work that makes the change. */
export function* recordChange<Resource>(
  audit: Audit<Resource> | undefined,
  before: Resource | null,
  after: Resource | null,
): UnitOfWork<void> {
  const row = audit?.(before, after);
  if (row !== undefined) yield* insertAuditRow(row);
}

type AuditPage = Parameters<AuditStore["list"]>[1];

/** The position of an entry. Entries are ordered by time, then by id. */
interface Position {
  readonly at: number;
  readonly id: string;
}

/** Entries per read. A filter that matches nothing must not read a long log in one step. */
const CHUNK = 2_000;

/**
 * Reads the newest matching entries below a position, within one chunk. `end` is the last position of the chunk;
 * undefined if no entries follow.
 */
function* readChunk(filter: AuditFilter, { at, id }: Position, limit: number) {
  const { workspaceId, action = null, resourceType = null, resourceId = null, keyId = null, since = 0 } = filter;
  const isFiltered = [action, resourceType, resourceId, keyId].some((wanted) => wanted !== null);
  const end = yield* first(sql<Position>`
    SELECT at, id FROM audit_entries WHERE workspace_id = ${workspaceId} AND (at, id) < (${at}, ${id}) AND at >= ${since}
    ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${(isFiltered ? CHUNK : limit) - 1}`);
  const last = end ?? { at: since, id: "" };
  const found = yield* all(sql<AuditRecord>`
    SELECT id, at, entry FROM audit_entries
    WHERE workspace_id = ${workspaceId} AND (at, id) < (${at}, ${id}) AND (at, id) >= (${last.at}, ${last.id})
      AND (CAST(${action} AS TEXT) IS NULL OR action = ${action})
      AND (CAST(${resourceType} AS TEXT) IS NULL OR resource_type = ${resourceType})
      AND (CAST(${resourceId} AS TEXT) IS NULL OR resource_id = ${resourceId})
      AND (CAST(${keyId} AS TEXT) IS NULL OR key_id = ${keyId})
    ORDER BY at DESC, id DESC LIMIT ${limit}`);
  return { found, end };
}

/**
 * Waits until it is this reader's turn: of all concurrent readers of long logs, only one reads in each iteration of the
 * event loop.
 */
type NextSlot = () => Promise<void>;

function createSlots(): NextSlot {
  let last = Promise.resolve();
  return () => {
    last = last.then(yieldToEventLoop);
    return last;
  };
}

async function list(
  units: UnitRunner,
  nextSlot: NextSlot,
  filter: AuditFilter,
  { limit, cursor, signal }: AuditPage,
): ReturnType<AuditStore["list"]> {
  const below = positionBelow(cursor);
  // `until` is exclusive, so the range ends right before this position.
  let position = filter.until !== undefined && filter.until <= below.at ? { at: filter.until, id: "" } : below;
  const records: AuditRecord[] = [];
  for (;;) {
    const from = position;
    const { found, end } = await units.read(() => readChunk(filter, from, limit + 1 - records.length));
    records.push(...found);
    if (end === undefined || records.length > limit) break;
    position = end;
    // SQLite reads synchronously, so other work must get a chance to run between two reads.
    await nextSlot();
    // After an abort, the cursor points to the part that was not read.
    if (signal?.aborted) return { data: records.map(toEntry), nextCursor: toCursor(keyOf(end)) };
  }
  return toPage(records, limit, keyOf, toEntry);
}

const keyOf = ({ at, id }: Position) => `${at}/${id}`;
const toEntry = ({ entry }: AuditRecord) => fromJson<AuditEntry>(entry);

function positionBelow(cursor: string | undefined): Position {
  if (cursor === undefined) return { at: Number.MAX_SAFE_INTEGER, id: "" };
  const [, at = "", id = ""] = /^(\d{1,16})\/([\w-]+)$/.exec(idBelow(cursor)) ?? [];
  if (id === "") throw new YagateError("INVALID_REQUEST", "cursor: expected the nextCursor of an earlier page");
  return { at: Number(at), id };
}

function* deleteBefore(before: number, limit: number): UnitOfWork<number> {
  const deleted = yield* all(sql<{ id: string }>`
    DELETE FROM audit_entries
    WHERE id IN (SELECT id FROM audit_entries WHERE at < ${before} ORDER BY at LIMIT ${limit}) RETURNING id`);
  return deleted.length;
}

export function createAuditStore(units: UnitRunner): AuditStore {
  const nextSlot = createSlots();
  return {
    list: (filter, page) => list(units, nextSlot, filter, page),
    append: (row) => units.write(() => insertAuditRow(row)),
    deleteBefore: (before, limit) => units.write(() => deleteBefore(before, limit)),
  };
}
