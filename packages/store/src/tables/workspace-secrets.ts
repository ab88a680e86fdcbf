import { type Page, type PageQuery, type SecretAuth, YagateError } from "@yagate/protocol";
import { nameAbove, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";
import { assertWithin, countSecrets } from "./quota-counts.ts";

/** A stored workspace secret, whose value only the keyring can decrypt. */
export interface WorkspaceSecretRow {
  readonly workspaceId: string;
  readonly name: string;
  /** The encrypted value as a compact JWE. */
  readonly sealed: string;
  readonly auth: SecretAuth | null;
  readonly hosts: readonly string[];
  /**
   * Whether the secret was last written before provider keys were bound to hosts. If it also has no `hosts`, it may be
   * sent to any host of its provider.
   */
  readonly isUnbound: boolean;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** A change to a secret; omitted fields stay unchanged. */
export interface WorkspaceSecretChange {
  readonly workspaceId: string;
  readonly name: string;
  readonly sealed: string;
  readonly auth?: SecretAuth | null;
  readonly hosts?: readonly string[];
  readonly at: EpochMs;
}

export interface WorkspaceSecretStore {
  /**
   * Creates or changes a secret.
   * @param maxSecrets - maximum number of secrets in the workspace; null: no limit.
   * @throws QuotaExceededError if the workspace would have more than `maxSecrets`.
   */
  put(
    change: WorkspaceSecretChange,
    maxSecrets: number | null,
    audit?: Audit<WorkspaceSecretRow>,
  ): Promise<WorkspaceSecretRow>;
  find(workspaceId: string, name: string): Promise<WorkspaceSecretRow | undefined>;
  /** Lists secrets, ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<WorkspaceSecretRow>>;
  /** Deletes a secret. @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, audit?: Audit<WorkspaceSecretRow>): Promise<void>;
}

interface SecretRecord {
  readonly workspace_id: string;
  readonly name: string;
  readonly sealed: string;
  readonly auth: string;
  readonly hosts: string;
  readonly unbound_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

function toRow(record: SecretRecord): WorkspaceSecretRow {
  return {
    workspaceId: record.workspace_id,
    name: record.name,
    sealed: record.sealed,
    auth: fromJson<SecretAuth | null>(record.auth),
    hosts: fromJson<readonly string[]>(record.hosts),
    isUnbound: record.unbound_at === record.updated_at,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
  };
}

function* find(workspaceId: string, name: string): UnitOfWork<WorkspaceSecretRow | undefined> {
  const record = yield* first(sql<SecretRecord>`
    SELECT workspace_id, name, sealed, auth, hosts, unbound_at, created_at, updated_at FROM workspace_secrets
    WHERE workspace_id = ${workspaceId} AND name = ${name}`);
  return record && toRow(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<WorkspaceSecretRow>> {
  const records = yield* all(sql<SecretRecord>`
    SELECT workspace_id, name, sealed, auth, hosts, unbound_at, created_at, updated_at FROM workspace_secrets
    WHERE workspace_id = ${workspaceId} AND name > ${nameAbove(cursor)} ORDER BY name LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ name }) => name, toRow);
}

function* put(
  change: WorkspaceSecretChange,
  maxSecrets: number | null,
  audit?: Audit<WorkspaceSecretRow>,
): UnitOfWork<WorkspaceSecretRow> {
  const { workspaceId, name, sealed, at } = change;
  const known = yield* find(workspaceId, name);
  if (known === undefined && maxSecrets !== null) {
    assertWithin("secrets", maxSecrets, (yield* countSecrets(workspaceId)) + 1);
  }
  if (change.auth === undefined && known?.auth?.type === "basic") {
    const message = `expected value to be a username and a password: ${name} is sent as basic; set auth to change that`;
    throw new YagateError("INVALID_REQUEST", message);
  }
  const { auth = known?.auth ?? null, hosts = known?.hosts ?? [] } = change;
  const createdAt = known?.createdAt ?? at;
  yield* first(sql`
    INSERT INTO workspace_secrets (workspace_id, name, sealed, auth, hosts, created_at, updated_at)
    VALUES (${workspaceId}, ${name}, ${sealed}, ${JSON.stringify(auth)}, ${JSON.stringify(hosts)}, ${createdAt}, ${at})
    ON CONFLICT (workspace_id, name) DO UPDATE SET sealed = excluded.sealed, auth = excluded.auth,
      hosts = excluded.hosts, updated_at = excluded.updated_at, unbound_at = NULL`);
  const row = { workspaceId, name, sealed, auth, hosts, isUnbound: false, createdAt, updatedAt: at };
  yield* recordChange(audit, known ?? null, row);
  return row;
}

function* remove(workspaceId: string, name: string, audit?: Audit<WorkspaceSecretRow>): UnitOfWork<void> {
  const record = yield* first(sql<SecretRecord>`
    DELETE FROM workspace_secrets WHERE workspace_id = ${workspaceId} AND name = ${name}
    RETURNING workspace_id, name, sealed, auth, hosts, unbound_at, created_at, updated_at`);
  if (record === undefined) throw new YagateError("NOT_FOUND", "no secret with this name in this workspace");
  yield* recordChange(audit, toRow(record), null);
}

export function createWorkspaceSecretStore(units: UnitRunner): WorkspaceSecretStore {
  return {
    put: (...change) => units.write(() => put(...change)),
    find: (workspaceId, name) => units.read(() => find(workspaceId, name)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    delete: (...change) => units.write(() => remove(...change)),
  };
}
