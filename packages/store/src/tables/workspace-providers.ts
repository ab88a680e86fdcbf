import { type Page, type PageQuery, YagateError } from "@yagate/protocol";
import { nameAbove, toPage } from "../cursor.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";

/** A model provider of a workspace. */
export interface WorkspaceProviderRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly secretName: string;
  readonly baseUrl: string | null;
  /** Whether the provider was last written before provider keys were bound to hosts. */
  readonly isUnbound: boolean;
  /** In ms since the epoch, like `updatedAt`. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A provider to write. */
export type WorkspaceProviderChange = Omit<WorkspaceProviderRow, "isUnbound">;

/** What the request's API key may change. */
export interface ProviderPermission {
  /** Whether the key may set, change or remove a provider's base URL. */
  readonly mayChangeUrl: boolean;
}

/** A provider whose key is sent to the workspace's base URL although the key's secret lists no hosts. */
export interface UnboundKeyRow {
  readonly workspaceId: string;
  readonly provider: string;
  readonly secretName: string;
  readonly baseUrl: string;
}

export interface WorkspaceProviderStore {
  /**
   * Creates or replaces a provider. An existing provider keeps its `createdAt`.
   * @throws YagateError `CONFLICT` if the workspace would have more than `maxProviders`; `FORBIDDEN` if the base URL
   *   would change and the permission is missing.
   */
  put(
    provider: WorkspaceProviderChange,
    options: ProviderPermission & { readonly maxProviders: number },
    audit?: Audit<WorkspaceProviderRow>,
  ): Promise<WorkspaceProviderRow>;
  /** Checks whether `put` is allowed. @throws YagateError `FORBIDDEN` if it is not. */
  assertMayPut(
    provider: Pick<WorkspaceProviderRow, "workspaceId" | "name" | "baseUrl">,
    permission: ProviderPermission,
  ): Promise<void>;
  find(workspaceId: string, name: string): Promise<WorkspaceProviderRow | undefined>;
  /** Lists providers, ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<WorkspaceProviderRow>>;
  /**
   * Deletes a provider. @throws YagateError `NOT_FOUND`; `FORBIDDEN` if it has a base URL and the permission is
   * missing.
   */
  delete(
    workspaceId: string,
    name: string,
    permission: ProviderPermission,
    audit?: Audit<WorkspaceProviderRow>,
  ): Promise<void>;
  /**
   * Lists the providers of all workspaces that have a base URL and whose secret lists no hosts, if both were last
   * written before provider keys were bound to hosts.
   */
  listUnbound(): Promise<readonly UnboundKeyRow[]>;
}

interface ProviderRecord {
  readonly workspace_id: string;
  readonly name: string;
  readonly secret_name: string;
  readonly base_url: string | null;
  readonly unbound_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

function toRow(record: ProviderRecord): WorkspaceProviderRow {
  return {
    workspaceId: record.workspace_id,
    name: record.name,
    secretName: record.secret_name,
    baseUrl: record.base_url,
    isUnbound: record.unbound_at === record.updated_at,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
  };
}

function* find(workspaceId: string, name: string): UnitOfWork<WorkspaceProviderRow | undefined> {
  const record = yield* first(sql<ProviderRecord>`
    SELECT workspace_id, name, secret_name, base_url, unbound_at, created_at, updated_at FROM workspace_providers
    WHERE workspace_id = ${workspaceId} AND name = ${name}`);
  return record && toRow(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<WorkspaceProviderRow>> {
  const records = yield* all(sql<ProviderRecord>`
    SELECT workspace_id, name, secret_name, base_url, unbound_at, created_at, updated_at FROM workspace_providers
    WHERE workspace_id = ${workspaceId} AND name > ${nameAbove(cursor)} ORDER BY name LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ name }) => name, toRow);
}

function* put(
  provider: WorkspaceProviderChange,
  { maxProviders, ...permission }: ProviderPermission & { readonly maxProviders: number },
  audit?: Audit<WorkspaceProviderRow>,
): UnitOfWork<WorkspaceProviderRow> {
  const { workspaceId, name, secretName, baseUrl, updatedAt } = provider;
  const known = yield* find(workspaceId, name);
  assertMayChangeUrl(known?.baseUrl ?? null, baseUrl, permission);
  if (known === undefined) yield* assertBelowLimit(workspaceId, maxProviders);
  const createdAt = known?.createdAt ?? provider.createdAt;
  yield* first(sql`
    INSERT INTO workspace_providers (workspace_id, name, secret_name, base_url, created_at, updated_at)
    VALUES (${workspaceId}, ${name}, ${secretName}, ${baseUrl}, ${createdAt}, ${updatedAt})
    ON CONFLICT (workspace_id, name) DO UPDATE SET secret_name = excluded.secret_name, base_url = excluded.base_url,
      updated_at = excluded.updated_at, unbound_at = NULL`);
  const row = { ...provider, isUnbound: false, createdAt };
  yield* recordChange(audit, known ?? null, row);
  return row;
}

/**
 * Checks that the base URL stays the same or may change.
 *
 * @param before - the current base URL; null if there is none.
 * @throws YagateError `FORBIDDEN`.
 */
function assertMayChangeUrl(before: string | null, after: string | null, permission: ProviderPermission): void {
  if (permission.mayChangeUrl || before === after) return;
  throw new YagateError("FORBIDDEN", "expected a key with the scope admin: the base URL of the provider would change", {
    hint: "leave baseUrl as it is, or use a key with the scopes secrets and admin",
  });
}

function* assertMayPut(
  { workspaceId, name, baseUrl }: Pick<WorkspaceProviderRow, "workspaceId" | "name" | "baseUrl">,
  permission: ProviderPermission,
): UnitOfWork<void> {
  const known = yield* find(workspaceId, name);
  assertMayChangeUrl(known?.baseUrl ?? null, baseUrl, permission);
}

function* assertBelowLimit(workspaceId: string, maxProviders: number): UnitOfWork<void> {
  const row = yield* first(sql<{ count: number }>`
    SELECT count(*) AS count FROM workspace_providers WHERE workspace_id = ${workspaceId}`);
  if (Number(row?.count ?? 0) < maxProviders) return;
  throw new YagateError("CONFLICT", `expected at most ${maxProviders} providers in a workspace: delete an unused one`);
}

function* remove(
  workspaceId: string,
  name: string,
  permission: ProviderPermission,
  audit?: Audit<WorkspaceProviderRow>,
): UnitOfWork<void> {
  const record = yield* first(sql<ProviderRecord>`
    DELETE FROM workspace_providers WHERE workspace_id = ${workspaceId} AND name = ${name}
    RETURNING workspace_id, name, secret_name, base_url, unbound_at, created_at, updated_at`);
  if (record === undefined) throw new YagateError("NOT_FOUND", "no provider with this name in this workspace");
  assertMayChangeUrl(record.base_url, null, permission);
  yield* recordChange(audit, toRow(record), null);
}

function* listUnbound(): UnitOfWork<readonly UnboundKeyRow[]> {
  const records = yield* all(sql<{
    readonly workspace_id: string;
    readonly name: string;
    readonly secret_name: string;
    readonly base_url: string;
  }>`
    SELECT p.workspace_id, p.name, p.secret_name, p.base_url
    FROM workspace_providers p
    JOIN workspace_secrets s ON s.workspace_id = p.workspace_id AND s.name = p.secret_name
    WHERE p.base_url IS NOT NULL AND s.hosts = '[]' AND p.unbound_at = p.updated_at AND s.unbound_at = s.updated_at
    ORDER BY p.workspace_id, p.name`);
  return records.map(({ workspace_id, name, secret_name, base_url }) => ({
    workspaceId: workspace_id,
    provider: name,
    secretName: secret_name,
    baseUrl: base_url,
  }));
}

export function createWorkspaceProviderStore(units: UnitRunner): WorkspaceProviderStore {
  return {
    put: (...change) => units.write(() => put(...change)),
    assertMayPut: (...change) => units.read(() => assertMayPut(...change)),
    find: (workspaceId, name) => units.read(() => find(workspaceId, name)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    delete: (...change) => units.write(() => remove(...change)),
    listUnbound: () => units.read(() => listUnbound()),
  };
}
