import { type Page, type PageQuery, YagateError } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";
import { insertSigningSecret, type SealedSigningSecret } from "./signing-secrets.ts";

export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  /** The name of the plan. It may be missing from the configuration. */
  readonly plan: string;
  readonly createdAt: EpochMs;
}

export interface WorkspaceStore {
  /** Creates a workspace with its first signing secret, in one commit. @throws YagateError `CONFLICT` if the name is taken. */
  create(workspace: WorkspaceRow, secret: SealedSigningSecret, audit?: Audit<WorkspaceRow>): Promise<void>;
  find(workspaceId: string): Promise<WorkspaceRow | undefined>;
  findByName(name: string): Promise<WorkspaceRow | undefined>;
  /** Sets the plan of a workspace. @throws YagateError `NOT_FOUND`. */
  setPlan(workspaceId: string, plan: string, audit?: Audit<WorkspaceRow>): Promise<WorkspaceRow>;
  list(page: PageQuery): Promise<Page<WorkspaceRow>>;
}

interface WorkspaceRecord {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: number;
}

const toRow = ({ id, name, plan, created_at }: WorkspaceRecord): WorkspaceRow => ({
  id,
  name,
  plan,
  createdAt: created_at,
});

function* create(workspace: WorkspaceRow, secret: SealedSigningSecret, audit?: Audit<WorkspaceRow>): UnitOfWork<void> {
  const { id, name, plan, createdAt } = workspace;
  const created = yield* first(sql<{ id: string }>`
    INSERT INTO workspaces (id, name, plan, created_at) VALUES (${id}, ${name}, ${plan}, ${createdAt})
    ON CONFLICT (name) DO NOTHING RETURNING id`);
  if (created === undefined)
    throw new YagateError("CONFLICT", "a workspace with this name already exists: choose another name");
  yield* insertSigningSecret(secret);
  yield* recordChange(audit, null, workspace);
}

function* find(workspaceId: string): UnitOfWork<WorkspaceRow | undefined> {
  const record = yield* first(sql<WorkspaceRecord>`
    SELECT id, name, plan, created_at FROM workspaces WHERE id = ${workspaceId}`);
  return record && toRow(record);
}

function* findByName(name: string): UnitOfWork<WorkspaceRow | undefined> {
  const record = yield* first(sql<WorkspaceRecord>`
    SELECT id, name, plan, created_at FROM workspaces WHERE name = ${name}`);
  return record && toRow(record);
}

function* list({ limit, cursor }: PageQuery): UnitOfWork<Page<WorkspaceRow>> {
  const records = yield* all(sql<WorkspaceRecord>`
    SELECT id, name, plan, created_at FROM workspaces
    WHERE id < ${idBelow(cursor)} ORDER BY id DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ id }) => id, toRow);
}

function* setPlan(workspaceId: string, plan: string, audit?: Audit<WorkspaceRow>): UnitOfWork<WorkspaceRow> {
  const before = yield* find(workspaceId);
  const record = yield* first(sql<WorkspaceRecord>`
    UPDATE workspaces SET plan = ${plan} WHERE id = ${workspaceId} RETURNING id, name, plan, created_at`);
  if (record === undefined) throw new YagateError("NOT_FOUND", "no workspace with this id");
  const after = toRow(record);
  yield* recordChange(audit, before ?? null, after);
  return after;
}

export function createWorkspaceStore(units: UnitRunner): WorkspaceStore {
  return {
    create: (...change) => units.write(() => create(...change)),
    find: (workspaceId) => units.read(() => find(workspaceId)),
    findByName: (name) => units.read(() => findByName(name)),
    setPlan: (...change) => units.write(() => setPlan(...change)),
    list: (page) => units.read(() => list(page)),
  };
}
