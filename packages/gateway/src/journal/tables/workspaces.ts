import { type Page, type PageQuery, YagateError } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import type { SealedSigningSecret, WorkspaceRow, WorkspaceStore } from "../port.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { insertSigningSecret } from "./signing-secrets.ts";

interface WorkspaceRecord {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

const toRow = ({ id, name, created_at }: WorkspaceRecord): WorkspaceRow => ({ id, name, createdAt: created_at });

function* create({ id, name, createdAt }: WorkspaceRow, secret: SealedSigningSecret): UnitOfWork<void> {
  const created = yield* first(sql<{ id: string }>`
    INSERT INTO workspaces (id, name, created_at) VALUES (${id}, ${name}, ${createdAt})
    ON CONFLICT (name) DO NOTHING RETURNING id`);
  if (created === undefined) throw new YagateError("CONFLICT", "a workspace of this name exists: choose another name");
  yield* insertSigningSecret(secret);
}

function* find(workspaceId: string): UnitOfWork<WorkspaceRow | undefined> {
  const record = yield* first(sql<WorkspaceRecord>`
    SELECT id, name, created_at FROM workspaces WHERE id = ${workspaceId}`);
  return record && toRow(record);
}

function* findByName(name: string): UnitOfWork<WorkspaceRow | undefined> {
  const record = yield* first(sql<WorkspaceRecord>`
    SELECT id, name, created_at FROM workspaces WHERE name = ${name}`);
  return record && toRow(record);
}

function* list({ limit, cursor }: PageQuery): UnitOfWork<Page<WorkspaceRow>> {
  const records = yield* all(sql<WorkspaceRecord>`
    SELECT id, name, created_at FROM workspaces WHERE id < ${idBelow(cursor)} ORDER BY id DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ id }) => id, toRow);
}

export function createWorkspaceStore(units: UnitRunner): WorkspaceStore {
  return {
    create: (workspace, secret) => units.write(() => create(workspace, secret)),
    find: (workspaceId) => units.read(() => find(workspaceId)),
    findByName: (name) => units.read(() => findByName(name)),
    list: (page) => units.read(() => list(page)),
  };
}
