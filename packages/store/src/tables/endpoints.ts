import { type Page, type PageQuery, YagateError } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";

/** A stored endpoint; times are in ms since the epoch. */
export interface EndpointRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly disabledAt: number | null;
  readonly reason: string | null;
}

export interface EndpointStore {
  /** Lists the disabled endpoints of all workspaces. The gateway reads them at startup. */
  listDisabled(): Promise<readonly EndpointRow[]>;
  list(workspaceId: string, page: PageQuery): Promise<Page<EndpointRow>>;
  /** Adds an enabled endpoint. If the endpoint exists, only updates the time of its last use. */
  add(endpoint: Pick<EndpointRow, "id" | "workspaceId" | "url"> & { readonly usedAt: number }): Promise<void>;
  /** Disables an endpoint, and adds it if it does not exist. */
  disable(endpoint: EndpointRow): Promise<void>;
  /** Enables an endpoint, which counts as a use. @throws YagateError `NOT_FOUND`. */
  enable(workspaceId: string, endpointId: string, at: number, audit?: Audit<EndpointRow>): Promise<EndpointRow>;
}

interface EndpointRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly url: string;
  readonly disabled_at: number | null;
  readonly reason: string | null;
}

function toRow(record: EndpointRecord): EndpointRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    url: record.url,
    disabledAt: record.disabled_at,
    reason: record.reason,
  };
}

function* listDisabled(): UnitOfWork<readonly EndpointRow[]> {
  const records = yield* all(sql<EndpointRecord>`
    SELECT id, workspace_id, url, disabled_at, reason FROM endpoints WHERE disabled_at IS NOT NULL ORDER BY id`);
  return records.map(toRow);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<EndpointRow>> {
  const records = yield* all(sql<EndpointRecord>`
    SELECT id, workspace_id, url, disabled_at, reason FROM endpoints
    WHERE workspace_id = ${workspaceId} AND id < ${idBelow(cursor)} ORDER BY id DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ id }) => id, toRow);
}

function* add({ id, workspaceId, url, usedAt }: Parameters<EndpointStore["add"]>[0]): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO endpoints (id, workspace_id, url, used_at) VALUES (${id}, ${workspaceId}, ${url}, ${usedAt})
    ON CONFLICT (workspace_id, url) DO UPDATE SET used_at = excluded.used_at`);
}

function* disable({ id, workspaceId, url, disabledAt, reason }: EndpointRow): UnitOfWork<void> {
  // An endpoint that is already disabled keeps its time and reason.
  yield* first(sql`
    INSERT INTO endpoints (id, workspace_id, url, disabled_at, reason, used_at)
    VALUES (${id}, ${workspaceId}, ${url}, ${disabledAt}, ${reason}, ${disabledAt})
    ON CONFLICT (workspace_id, url) DO UPDATE SET disabled_at = excluded.disabled_at, reason = excluded.reason
    WHERE endpoints.disabled_at IS NULL`);
}

function* enable(
  workspaceId: string,
  endpointId: string,
  at: EpochMs,
  audit?: Audit<EndpointRow>,
): UnitOfWork<EndpointRow> {
  const before = yield* first(sql<EndpointRecord>`
    SELECT id, workspace_id, url, disabled_at, reason FROM endpoints
    WHERE id = ${endpointId} AND workspace_id = ${workspaceId}`);
  const record = yield* first(sql<EndpointRecord>`
    UPDATE endpoints SET disabled_at = NULL, reason = NULL, used_at = ${at}
    WHERE id = ${endpointId} AND workspace_id = ${workspaceId}
    RETURNING id, workspace_id, url, disabled_at, reason`);
  if (record === undefined) throw new YagateError("NOT_FOUND", "no such endpoint in this workspace");
  const after = toRow(record);
  yield* recordChange(audit, before === undefined ? null : toRow(before), after);
  return after;
}

export function createEndpointStore(units: UnitRunner): EndpointStore {
  return {
    listDisabled: () => units.read(() => listDisabled()),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    add: (endpoint) => units.write(() => add(endpoint)),
    disable: (endpoint) => units.write(() => disable(endpoint)),
    enable: (...change) => units.write(() => enable(...change)),
  };
}
