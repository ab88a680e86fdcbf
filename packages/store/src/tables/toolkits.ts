import {
  type Page,
  type PageQuery,
  type StoredWorkspaceTool,
  type Toolkit,
  type ToolStatus,
  type WorkspaceToolKind,
  YagateError,
} from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { type Audit, recordChange } from "./audit.ts";

/** A toolkit; its tools refer to its id. */
export interface ToolkitRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly provider: string;
  readonly credential: string | null;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** A tool in the audit log entry for a status change. */
export type ToolStep = Pick<StoredWorkspaceTool, "id" | "name" | "version" | "status">;

export interface ToolkitStore {
  create(toolkit: ToolkitRow, audit?: Audit<ToolkitRow>): Promise<void>;
  /** Changes a toolkit. @throws YagateError `NOT_FOUND`. */
  update(toolkit: ToolkitRow, audit?: Audit<ToolkitRow>): Promise<void>;
  find(workspaceId: string, toolkitId: string): Promise<Toolkit | undefined>;
  /** Lists toolkits, newest first. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Toolkit>>;
  /** Sets the status of the toolkit's validated tools to `created`. @returns their ids. */
  finalize(workspaceId: string, toolkitId: string, audit?: Audit<ToolStep>): Promise<readonly string[]>;
  /**
   * Deletes a toolkit. Its tools remain, without a toolkit. With `archiveAt`, tools whose status is not `created` are
   * archived.
   * @throws YagateError `NOT_FOUND`.
   */
  delete(
    workspaceId: string,
    toolkitId: string,
    archiveAt: EpochMs | null,
    audit?: { readonly toolkit: Audit<ToolkitRow>; readonly tool: Audit<ToolStep> },
  ): Promise<void>;
}

/** A toolkit with one of its tools. A toolkit without tools has one record, whose tool fields are null. */
interface ToolkitRecord {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly credential: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly tool_id: string | null;
  readonly tool_name: string;
  readonly tool_kind: WorkspaceToolKind;
  readonly tool_status: ToolStatus;
}

function toToolkits(records: readonly ToolkitRecord[]): readonly Toolkit[] {
  const toolkits = new Map<string, Toolkit>();
  for (const record of records) {
    const { id, name, provider, credential } = record;
    const toolkit = toolkits.get(id) ?? {
      ...{ id, name, provider, credential, tools: [] },
      createdAt: new Date(record.created_at).toISOString(),
      updatedAt: new Date(record.updated_at).toISOString(),
    };
    toolkits.set(id, toolkit);
    if (record.tool_id === null) continue;
    toolkit.tools.push({
      id: record.tool_id,
      name: record.tool_name,
      kind: record.tool_kind,
      status: record.tool_status,
    });
  }
  return [...toolkits.values()];
}

const noSuchToolkit = () => new YagateError("NOT_FOUND", "no toolkit with this id in this workspace");

/** Adds a toolkit in the current unit of work. */
export function* insertToolkit(toolkit: ToolkitRow, audit?: Audit<ToolkitRow>): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO toolkits (id, workspace_id, name, provider, credential, created_at, updated_at)
    VALUES (${toolkit.id}, ${toolkit.workspaceId}, ${toolkit.name}, ${toolkit.provider}, ${toolkit.credential},
            ${toolkit.createdAt}, ${toolkit.updatedAt})`);
  yield* recordChange(audit, null, toolkit);
}

/** Checks that a toolkit exists. @throws YagateError `NOT_FOUND`. */
export function* assertToolkit(workspaceId: string, toolkitId: string): UnitOfWork<void> {
  const found = yield* first(sql<{ id: string }>`
    SELECT id FROM toolkits WHERE id = ${toolkitId} AND workspace_id = ${workspaceId}`);
  if (found === undefined) throw noSuchToolkit();
}

function* findRow(workspaceId: string, toolkitId: string): UnitOfWork<ToolkitRow> {
  const toolkit = yield* find(workspaceId, toolkitId);
  if (toolkit === undefined) throw noSuchToolkit();
  const { id, name, provider, credential, createdAt, updatedAt } = toolkit;
  const times = { createdAt: Date.parse(createdAt), updatedAt: Date.parse(updatedAt) };
  return { id, workspaceId, name, provider, credential, ...times };
}

function* update(toolkit: ToolkitRow, audit?: Audit<ToolkitRow>): UnitOfWork<void> {
  const { id, workspaceId, name, provider, credential, updatedAt } = toolkit;
  const before = audit && (yield* findRow(workspaceId, id));
  const updated = yield* first(sql<{ id: string }>`
    UPDATE toolkits SET name = ${name}, provider = ${provider}, credential = ${credential}, updated_at = ${updatedAt}
    WHERE id = ${id} AND workspace_id = ${workspaceId} RETURNING id`);
  if (updated === undefined) throw noSuchToolkit();
  if (before !== undefined) yield* recordChange(audit, before, { ...toolkit, createdAt: before.createdAt });
}

function* find(workspaceId: string, toolkitId: string): UnitOfWork<Toolkit | undefined> {
  const records = yield* all(sql<ToolkitRecord>`
    SELECT k.id, k.name, k.provider, k.credential, k.created_at, k.updated_at,
           t.id AS tool_id, t.name AS tool_name, t.kind AS tool_kind, t.status AS tool_status
    FROM toolkits k LEFT JOIN tools t ON t.toolkit_id = k.id AND t.archived_at IS NULL
    WHERE k.id = ${toolkitId} AND k.workspace_id = ${workspaceId} ORDER BY t.id`);
  return toToolkits(records)[0];
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<Toolkit>> {
  const records = yield* all(sql<ToolkitRecord>`
    SELECT k.id, k.name, k.provider, k.credential, k.created_at, k.updated_at,
           t.id AS tool_id, t.name AS tool_name, t.kind AS tool_kind, t.status AS tool_status
    FROM (
      SELECT id, name, provider, credential, created_at, updated_at FROM toolkits
      WHERE workspace_id = ${workspaceId} AND id < ${idBelow(cursor)} ORDER BY id DESC LIMIT ${limit + 1}
    ) AS k LEFT JOIN tools t ON t.toolkit_id = k.id AND t.archived_at IS NULL
    ORDER BY k.id DESC, t.id`);
  return toPage(
    toToolkits(records),
    limit,
    ({ id }) => id,
    (toolkit) => toolkit,
  );
}

function* finalize(workspaceId: string, toolkitId: string, audit?: Audit<ToolStep>): UnitOfWork<readonly string[]> {
  yield* assertToolkit(workspaceId, toolkitId);
  const finalized = yield* all(sql<{ id: string; name: string; version: number }>`
    UPDATE tools SET status = 'created'
    WHERE toolkit_id = ${toolkitId} AND archived_at IS NULL AND status = 'validated' RETURNING id, name, version`);
  for (const { id, name, version } of finalized) {
    yield* first(sql`UPDATE tool_versions SET status = 'created' WHERE tool_id = ${id} AND version = ${version}`);
    const tool = { id, name, version };
    yield* recordChange(audit, { ...tool, status: "validated" }, { ...tool, status: "created" });
  }
  return finalized.map(({ id }) => id).toSorted();
}

function* remove(
  workspaceId: string,
  toolkitId: string,
  archiveAt: EpochMs | null,
  audit?: { readonly toolkit: Audit<ToolkitRow>; readonly tool: Audit<ToolStep> },
): UnitOfWork<void> {
  if (audit !== undefined) yield* recordChange(audit.toolkit, yield* findRow(workspaceId, toolkitId), null);
  const deleted = yield* first(sql<{ id: string }>`
    DELETE FROM toolkits WHERE id = ${toolkitId} AND workspace_id = ${workspaceId} RETURNING id`);
  if (deleted === undefined) throw noSuchToolkit();
  if (archiveAt !== null) {
    const archived = yield* all(sql<ToolStep>`
      UPDATE tools SET archived_at = ${archiveAt}
      WHERE toolkit_id = ${toolkitId} AND archived_at IS NULL AND status <> 'created'
      RETURNING id, name, version, status`);
    for (const tool of archived) yield* recordChange(audit?.tool, tool, null);
  }
  yield* first(sql`UPDATE tools SET toolkit_id = NULL WHERE toolkit_id = ${toolkitId}`);
}

export function createToolkitStore(units: UnitRunner): ToolkitStore {
  return {
    create: (...change) => units.write(() => insertToolkit(...change)),
    update: (...change) => units.write(() => update(...change)),
    find: (workspaceId, toolkitId) => units.read(() => find(workspaceId, toolkitId)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    finalize: (...change) => units.write(() => finalize(...change)),
    delete: (...change) => units.write(() => remove(...change)),
  };
}
