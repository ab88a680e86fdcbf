import { type Page, type PageQuery, type Scope, YagateError } from "@yagate/protocol";
import type { ApiKeyRow, ApiKeyStore } from "../api-key-rows.ts";
import type { Audit } from "../audit-rows.ts";
import { idBelow, toPage } from "../cursor.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { recordChange } from "./audit.ts";

interface ApiKeyRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly hash: string;
  readonly scopes: string;
  readonly created_at: number;
}

function toRow(record: ApiKeyRecord): ApiKeyRow {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    name: record.name,
    hash: record.hash,
    scopes: fromJson<Scope[]>(record.scopes),
    createdAt: record.created_at,
  };
}

function* create(key: ApiKeyRow, audit?: Audit<ApiKeyRow>): UnitOfWork<void> {
  const { id, workspaceId, name, hash, scopes, createdAt } = key;
  yield* first(sql`
    INSERT INTO api_keys (id, workspace_id, name, hash, scopes, created_at)
    VALUES (${id}, ${workspaceId}, ${name}, ${hash}, ${JSON.stringify(scopes)}, ${createdAt})`);
  yield* recordChange(audit, null, key);
}

function* find(workspaceId: string, keyId: string): UnitOfWork<ApiKeyRow | undefined> {
  const record = yield* first(sql<ApiKeyRecord>`
    SELECT id, workspace_id, name, hash, scopes, created_at FROM api_keys
    WHERE id = ${keyId} AND workspace_id = ${workspaceId}`);
  return record && toRow(record);
}

function* findByHash(hash: string): UnitOfWork<ApiKeyRow | undefined> {
  const record = yield* first(sql<ApiKeyRecord>`
    SELECT id, workspace_id, name, hash, scopes, created_at FROM api_keys WHERE hash = ${hash}`);
  return record && toRow(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<ApiKeyRow>> {
  const records = yield* all(sql<ApiKeyRecord>`
    SELECT id, workspace_id, name, hash, scopes, created_at FROM api_keys
    WHERE workspace_id = ${workspaceId} AND id < ${idBelow(cursor)} ORDER BY id DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ id }) => id, toRow);
}

function* remove(workspaceId: string, keyId: string, audit?: Audit<ApiKeyRow>): UnitOfWork<void> {
  const removed = yield* first(sql<ApiKeyRecord>`
    DELETE FROM api_keys WHERE id = ${keyId} AND workspace_id = ${workspaceId}
    RETURNING id, workspace_id, name, hash, scopes, created_at`);
  if (removed === undefined) throw new YagateError("NOT_FOUND", "no such API key in this workspace");
  yield* recordChange(audit, toRow(removed), null);
}

export function createApiKeyStore(units: UnitRunner): ApiKeyStore {
  return {
    create: (...change) => units.write(() => create(...change)),
    find: (workspaceId, keyId) => units.read(() => find(workspaceId, keyId)),
    findByHash: (hash) => units.read(() => findByHash(hash)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    delete: (...change) => units.write(() => remove(...change)),
  };
}
