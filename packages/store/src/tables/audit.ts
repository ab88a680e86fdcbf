import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { type AuditEntry, type Page, YagateError } from "@yagate/protocol";
import { idBelow, toCursor, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

/** An entry of the audit log as it is stored. */
export interface AuditRow {
  readonly id: string;
  /** The workspace that was changed. */
  readonly workspaceId: string;
  readonly at: EpochMs;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** Null where no stored API key made the change. */
  readonly keyId: string | null;
  /** The JSON text of the whole public entry. */
  readonly entry: string;
}

/**
 * What the audit log keeps of a change, from what there was before and after it (null: nothing). Called inside the
 * change's unit of work, which may run twice. Undefined: nothing has changed.
 */
export type Audit<Resource> = (before: Resource | null, after: Resource | null) => AuditRow | undefined;

/** How resources of one kind stand in the audit log. */
export interface AuditSubject<Resource> {
  readonly type: string;
  readonly idOf: (resource: Resource) => string;
  readonly nameOf?: (resource: Resource) => string;
  /** What of it is public: never a secret value. */
  readonly show: (resource: Resource) => object;
  /** Two states may look alike although the change was one: a secret's value is not shown. */
  readonly isAlwaysChanged?: boolean;
}

/** Makes the entries of one request, or of one start of the gateway. */
export interface ChangeRecorder {
  /** @param workspaceId - the workspace that is changed. */
  of<Resource>(workspaceId: string, action: string, subject: AuditSubject<Resource>): Audit<Resource>;
}

/** Which entries are read; every part that is given must hold. */
export interface AuditFilter {
  readonly workspaceId: string;
  readonly action?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly keyId?: string | undefined;
  /** From this moment on. */
  readonly since?: EpochMs | undefined;
  /** Before this moment. */
  readonly until?: EpochMs | undefined;
}

/** The audit log. Entries are written with the changes that they tell of, see {@link Audit}. */
export interface AuditStore {
  /**
   * Newest first.
   * @param page.signal - aborted when the reader has gone: the page ends with what was found until then.
   */
  list(
    filter: AuditFilter,
    page: { readonly limit: number; readonly cursor?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<Page<AuditEntry>>;
  /** Writes an entry alone: of a grant that is stored nowhere else. */
  append(row: AuditRow): Promise<void>;
  /** Deletes up to `limit` entries from before a moment, oldest first. @returns how many went. */
  deleteBefore(before: EpochMs, limit: number): Promise<number>;
}

interface AuditRecord {
  readonly id: string;
  readonly at: number;
  readonly entry: string;
}

function* insert(row: AuditRow): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO audit_entries (id, workspace_id, at, action, resource_type, resource_id, key_id, entry)
    VALUES (${row.id}, ${row.workspaceId}, ${row.at}, ${row.action}, ${row.resourceType}, ${row.resourceId},
            ${row.keyId}, ${row.entry})`);
}

/** Writes what is to be kept of a change, in the unit of work that makes it. */
export function* recordChange<Resource>(
  audit: Audit<Resource> | undefined,
  before: Resource | null,
  after: Resource | null,
): UnitOfWork<void> {
  const row = audit?.(before, after);
  if (row !== undefined) yield* insert(row);
}

type AuditPage = Parameters<AuditStore["list"]>[1];

/** Entries are in the order of their moments, then of their ids. */
interface Position {
  readonly at: number;
  readonly id: string;
}

/** Entries that one read looks at: a filter that nothing passes must not read a log of any length at once. */
const CHUNK = 2_000;

/** The newest entries below a position, of those that one read looks at; `end`: where that was, if there may be more. */
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

/** Waits for a turn of the event loop of its own: however many look through long logs, each turn has one read. */
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
  nextTurn: NextSlot,
  filter: AuditFilter,
  { limit, cursor, signal }: AuditPage,
): ReturnType<AuditStore["list"]> {
  const below = positionBelow(cursor);
  // The end of the range as a position: nothing that was written at this moment is before it.
  let position = filter.until !== undefined && filter.until <= below.at ? { at: filter.until, id: "" } : below;
  const records: AuditRecord[] = [];
  for (;;) {
    const from = position;
    const { found, end } = await units.read(() => readChunk(filter, from, limit + 1 - records.length));
    records.push(...found);
    if (end === undefined || records.length > limit) break;
    position = end;
    // SQLite answers in place: between two reads others get their turn.
    await nextTurn();
    // Cut short, and so it says: the rest is behind its cursor.
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
  const nextTurn = createSlots();
  return {
    list: (filter, page) => list(units, nextTurn, filter, page),
    append: (row) => units.write(() => insert(row)),
    deleteBefore: (before, limit) => units.write(() => deleteBefore(before, limit)),
  };
}
