import { type Page, type PageQuery, YagateError } from "@yagate/protocol";
import type { Audit } from "../audit-rows.ts";
import { nameAbove, toPage } from "../cursor.ts";
import type { WorkspaceProviderRow, WorkspaceProviderStore } from "../provider-rows.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { recordChange } from "./audit.ts";

interface ProviderRecord {
  readonly workspace_id: string;
  readonly name: string;
  readonly secret_name: string;
  readonly base_url: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

function toRow(record: ProviderRecord): WorkspaceProviderRow {
  return {
    workspaceId: record.workspace_id,
    name: record.name,
    secretName: record.secret_name,
    baseUrl: record.base_url,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
  };
}

function* find(workspaceId: string, name: string): UnitOfWork<WorkspaceProviderRow | undefined> {
  const record = yield* first(sql<ProviderRecord>`
    SELECT workspace_id, name, secret_name, base_url, created_at, updated_at FROM workspace_providers
    WHERE workspace_id = ${workspaceId} AND name = ${name}`);
  return record && toRow(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<WorkspaceProviderRow>> {
  const records = yield* all(sql<ProviderRecord>`
    SELECT workspace_id, name, secret_name, base_url, created_at, updated_at FROM workspace_providers
    WHERE workspace_id = ${workspaceId} AND name > ${nameAbove(cursor)} ORDER BY name LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ name }) => name, toRow);
}

function* put(
  provider: WorkspaceProviderRow,
  maxProviders: number,
  audit?: Audit<WorkspaceProviderRow>,
): UnitOfWork<WorkspaceProviderRow> {
  const { workspaceId, name, secretName, baseUrl, updatedAt } = provider;
  const known = yield* find(workspaceId, name);
  if (known === undefined) yield* assertRoom(workspaceId, maxProviders);
  const createdAt = known?.createdAt ?? provider.createdAt;
  yield* first(sql`
    INSERT INTO workspace_providers (workspace_id, name, secret_name, base_url, created_at, updated_at)
    VALUES (${workspaceId}, ${name}, ${secretName}, ${baseUrl}, ${createdAt}, ${updatedAt})
    ON CONFLICT (workspace_id, name) DO UPDATE SET secret_name = excluded.secret_name, base_url = excluded.base_url,
      updated_at = excluded.updated_at`);
  const row = { ...provider, createdAt };
  yield* recordChange(audit, known ?? null, row);
  return row;
}

function* assertRoom(workspaceId: string, maxProviders: number): UnitOfWork<void> {
  const row = yield* first(sql<{ count: number }>`
    SELECT count(*) AS count FROM workspace_providers WHERE workspace_id = ${workspaceId}`);
  if (Number(row?.count ?? 0) < maxProviders) return;
  throw new YagateError(
    "CONFLICT",
    `a workspace can have at most ${maxProviders} providers: delete one that is not used`,
  );
}

function* remove(workspaceId: string, name: string, audit?: Audit<WorkspaceProviderRow>): UnitOfWork<void> {
  const record = yield* first(sql<ProviderRecord>`
    DELETE FROM workspace_providers WHERE workspace_id = ${workspaceId} AND name = ${name}
    RETURNING workspace_id, name, secret_name, base_url, created_at, updated_at`);
  if (record === undefined) throw new YagateError("NOT_FOUND", "no provider of this name in this workspace");
  yield* recordChange(audit, toRow(record), null);
}

export function createWorkspaceProviderStore(units: UnitRunner): WorkspaceProviderStore {
  return {
    put: (...change) => units.write(() => put(...change)),
    find: (workspaceId, name) => units.read(() => find(workspaceId, name)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    delete: (...change) => units.write(() => remove(...change)),
  };
}
