import { type AuditEntry, YagateError } from "@yagate/protocol";
import type { Audit, AuditFilter, AuditRow, AuditStore } from "../audit-rows.ts";
import { idBelow, toPage } from "../cursor.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";

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

type Page = Parameters<AuditStore["list"]>[1];

function* list(filter: AuditFilter, { limit, cursor }: Page): UnitOfWork<Awaited<ReturnType<AuditStore["list"]>>> {
  const { workspaceId, action = null, resourceType = null, resourceId = null, keyId = null, since = 0 } = filter;
  const position = positionBelow(cursor);
  // The end of the range as a position: nothing that was written at this moment is before it.
  const { at, id } =
    filter.until !== undefined && filter.until <= position.at ? { at: filter.until, id: "" } : position;
  const records = yield* all(sql<AuditRecord>`
    SELECT id, at, entry FROM audit_entries
    WHERE workspace_id = ${workspaceId} AND (at, id) < (${at}, ${id}) AND at >= ${since}
      AND (CAST(${action} AS TEXT) IS NULL OR action = ${action})
      AND (CAST(${resourceType} AS TEXT) IS NULL OR resource_type = ${resourceType})
      AND (CAST(${resourceId} AS TEXT) IS NULL OR resource_id = ${resourceId})
      AND (CAST(${keyId} AS TEXT) IS NULL OR key_id = ${keyId})
    ORDER BY at DESC, id DESC LIMIT ${limit + 1}`);
  return toPage(
    records,
    limit,
    (record) => `${record.at}/${record.id}`,
    ({ entry }) => fromJson<AuditEntry>(entry),
  );
}

function positionBelow(cursor: string | undefined): { readonly at: number; readonly id: string } {
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
  return {
    list: (filter, page) => units.read(() => list(filter, page)),
    append: (row) => units.write(() => insert(row)),
    deleteBefore: (before, limit) => units.write(() => deleteBefore(before, limit)),
  };
}
