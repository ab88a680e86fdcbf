import { type KeyRouting, type Page, type PageQuery, type Scope, YagateError } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";

/** A stored API key. */
export interface ApiKeyRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: EpochMs;
  /** When it expires; null: never. */
  readonly expiresAt: EpochMs | null;
  readonly lastUsedAt: EpochMs | null;
  readonly rotatedAt: EpochMs | null;
  /**
   * The hash of the key before the last rotation, and the time until which that key is valid; null if there is none.
   */
  readonly previous: { readonly hash: string; readonly until: EpochMs } | null;
  readonly routing: KeyRouting | null;
}

/** A change to a stored API key; omitted fields stay unchanged. */
export type ApiKeyChange = Partial<Pick<ApiKeyRow, "name" | "expiresAt" | "routing">>;

export interface ApiKeyStore {
  create(key: ApiKeyRow, audit?: Audit<ApiKeyRow>): Promise<void>;
  find(workspaceId: string, keyId: string): Promise<ApiKeyRow | undefined>;
  /** Finds the stored key whose current or previous value has this hash. */
  findByHash(hash: string): Promise<ApiKeyRow | undefined>;
  list(workspaceId: string, page: PageQuery): Promise<Page<ApiKeyRow>>;
  /** Changes the settings of a key. @throws YagateError `NOT_FOUND`. */
  update(workspaceId: string, keyId: string, change: ApiKeyChange, audit?: Audit<ApiKeyRow>): Promise<ApiKeyRow>;
  /**
   * Replaces the value of a key. The previous value stays valid until `previousUntil`; older values become invalid.
   * @throws YagateError `NOT_FOUND`.
   */
  rotate(
    rotation: {
      readonly workspaceId: string;
      readonly keyId: string;
      readonly hash: string;
      readonly at: EpochMs;
      readonly previousUntil: EpochMs;
    },
    audit?: Audit<ApiKeyRow>,
  ): Promise<ApiKeyRow>;
  /** Records a use, unless a later one has been recorded. */
  markUsed(keyId: string, at: EpochMs): Promise<void>;
  /** Deletes a key. @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, keyId: string, audit?: Audit<ApiKeyRow>): Promise<void>;
}

interface ApiKeyRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly hash: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly rotated_at: number | null;
  readonly previous_hash: string | null;
  readonly previous_until: number | null;
  readonly routing: string | null;
}

type Rotation = Parameters<ApiKeyStore["rotate"]>[0];

function toRow(record: ApiKeyRecord): ApiKeyRow {
  const { previous_hash: hash, previous_until: until } = record;
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    hash: record.hash,
    scopes: fromJson<Scope[]>(record.scopes),
    createdAt: record.created_at,
    expiresAt: record.expires_at,
    lastUsedAt: record.last_used_at,
    rotatedAt: record.rotated_at,
    previous: hash === null || until === null ? null : { hash, until },
    routing: record.routing === null ? null : fromJson<KeyRouting>(record.routing),
  };
}

const noSuchKey = () => new YagateError("NOT_FOUND", "no such API key in this workspace");

function* create(key: ApiKeyRow, audit?: Audit<ApiKeyRow>): UnitOfWork<void> {
  const { id, workspaceId, name, hash, scopes, createdAt, expiresAt, routing } = key;
  yield* first(sql`
    INSERT INTO api_keys (id, workspace_id, name, hash, scopes, created_at, expires_at, routing)
    VALUES (${id}, ${workspaceId}, ${name}, ${hash}, ${JSON.stringify(scopes)}, ${createdAt}, ${expiresAt},
            ${routing === null ? null : JSON.stringify(routing)})`);
  yield* recordChange(audit, null, key);
}

function* find(workspaceId: string, keyId: string): UnitOfWork<ApiKeyRow | undefined> {
  const record = yield* first(sql<ApiKeyRecord>`
    SELECT id, workspace_id, name, hash, scopes, created_at, expires_at, last_used_at, rotated_at, previous_hash,
      previous_until, routing
    FROM api_keys WHERE id = ${keyId} AND workspace_id = ${workspaceId}`);
  return record && toRow(record);
}

function* findByHash(hash: string): UnitOfWork<ApiKeyRow | undefined> {
  const record = yield* first(sql<ApiKeyRecord>`
    SELECT id, workspace_id, name, hash, scopes, created_at, expires_at, last_used_at, rotated_at, previous_hash,
      previous_until, routing
    FROM api_keys WHERE hash = ${hash} OR previous_hash = ${hash}`);
  return record && toRow(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<ApiKeyRow>> {
  const records = yield* all(sql<ApiKeyRecord>`
    SELECT id, workspace_id, name, hash, scopes, created_at, expires_at, last_used_at, rotated_at, previous_hash,
      previous_until, routing
    FROM api_keys
    WHERE workspace_id = ${workspaceId} AND id < ${idBelow(cursor)} ORDER BY id DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ id }) => id, toRow);
}

function* update(
  workspaceId: string,
  keyId: string,
  change: ApiKeyChange,
  audit?: Audit<ApiKeyRow>,
): UnitOfWork<ApiKeyRow> {
  const before = yield* find(workspaceId, keyId);
  if (before === undefined) throw noSuchKey();
  const after = { ...before, ...change };
  yield* first(sql`
    UPDATE api_keys SET name = ${after.name}, expires_at = ${after.expiresAt},
      routing = ${after.routing === null ? null : JSON.stringify(after.routing)}
    WHERE id = ${keyId}`);
  yield* recordChange(audit, before, after);
  return after;
}

function* rotate(
  { workspaceId, keyId, hash, at, previousUntil }: Rotation,
  audit?: Audit<ApiKeyRow>,
): UnitOfWork<ApiKeyRow> {
  const before = yield* find(workspaceId, keyId);
  if (before === undefined) throw noSuchKey();
  const previous = previousUntil > at ? { hash: before.hash, until: previousUntil } : null;
  yield* first(sql`
    UPDATE api_keys SET hash = ${hash}, rotated_at = ${at}, previous_hash = ${previous?.hash ?? null},
      previous_until = ${previous?.until ?? null}
    WHERE id = ${keyId}`);
  const after = { ...before, hash, rotatedAt: at, previous };
  yield* recordChange(audit, before, after);
  return after;
}

function* markUsed(keyId: string, at: number): UnitOfWork<void> {
  yield* first(sql`
    UPDATE api_keys SET last_used_at = ${at}
    WHERE id = ${keyId} AND (last_used_at IS NULL OR last_used_at < ${at})`);
}

function* remove(workspaceId: string, keyId: string, audit?: Audit<ApiKeyRow>): UnitOfWork<void> {
  const before = yield* find(workspaceId, keyId);
  if (before === undefined) throw noSuchKey();
  yield* first(sql`DELETE FROM api_keys WHERE id = ${keyId}`);
  yield* recordChange(audit, before, null);
}

export function createApiKeyStore(units: UnitRunner): ApiKeyStore {
  return {
    create: (...change) => units.write(() => create(...change)),
    find: (workspaceId, keyId) => units.read(() => find(workspaceId, keyId)),
    findByHash: (hash) => units.read(() => findByHash(hash)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    update: (...change) => units.write(() => update(...change)),
    rotate: (...change) => units.write(() => rotate(...change)),
    markUsed: (keyId, at) => units.write(() => markUsed(keyId, at)),
    delete: (...change) => units.write(() => remove(...change)),
  };
}
