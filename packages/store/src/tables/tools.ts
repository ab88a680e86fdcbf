import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type LastTest,
  type Page,
  type PageQuery,
  type StoredWorkspaceTool,
  type ToolStatus,
  toToolWarning,
  type WorkspaceToolQuery,
  type WorkspaceToolTest,
  YagateError,
} from "@yagate/protocol";
import { idBelow, numberBelow, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { fromJson } from "../json-column.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { findAdopter, releaseAdoptedTool } from "./adopted-tools.ts";
import { type Audit, recordChange } from "./audit.ts";
import { assertWithin, countTools } from "./quota-counts.ts";
import { ruleNextVersion } from "./ruled-versions.ts";
import { assertToolkit, insertToolkit, type ToolkitRow } from "./toolkits.ts";

/** A version of a workspace tool, with data that only the gateway uses. */
export interface ToolRow {
  readonly workspaceId: string;
  readonly tool: StoredWorkspaceTool;
  readonly archivedAt: EpochMs | null;
}

/** Creates the audit log entries for tools that are created together with their toolkit. */
export interface ToolAudit {
  readonly tool: Audit<StoredWorkspaceTool>;
  readonly toolkit?: Audit<ToolkitRow>;
}

/** A change to the status of a tool's current version. Omitted fields stay unchanged. */
export interface ToolAdvance {
  readonly toolId: string;
  /** The expected current version; otherwise `CONFLICT`. */
  readonly version: number;
  /** The expected current status; otherwise `CONFLICT`. */
  readonly from: ToolStatus;
  readonly to: ToolStatus;
  readonly test?: ToolTestRecord;
}

/** A test with its complete response. */
export interface ToolTestRecord {
  readonly lastTest: LastTest;
  readonly parameters: JsonObject;
  readonly response: JsonValue;
  readonly error: ToolTestError | null;
}

/** The reason why a test failed, for the model and for the author of the tool. */
export type ToolTestError = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly developerMessage?: string;
};

/** Stores the workspace tools. The content of a version never changes; its status and last test do. */
export interface ToolStore {
  /**
   * Creates all tools, and the toolkit if one is passed, or nothing.
   * @param maxTools - maximum number of active tools, including these; null: no limit.
   * @throws YagateError `CONFLICT` if a name is taken; `NOT_FOUND` if the toolkit does not exist.
   * @throws QuotaExceededError if the workspace would have more than `maxTools`.
   */
  create(
    workspaceId: string,
    tools: readonly StoredWorkspaceTool[],
    toolkit?: ToolkitRow,
    audit?: ToolAudit,
    maxTools?: number | null,
  ): Promise<void>;
  /**
   * Adds the next version if the current one is `expectedVersion`.
   * @throws YagateError `CONFLICT` if the current version is another one or the name is taken; `NOT_FOUND` if the tool
   *   is archived or not in this workspace, or its toolkit does not exist; `CONFLICT` for another definition or status of
   *   a tool that follows a tool of a source.
   */
  update(
    workspaceId: string,
    tool: StoredWorkspaceTool,
    expectedVersion: number,
    audit?: Audit<StoredWorkspaceTool>,
  ): Promise<void>;
  /**
   * Changes the status of the current version, and stores the result of a test.
   * @throws YagateError `CONFLICT` if the version or the status has changed; `NOT_FOUND`.
   */
  advance(workspaceId: string, advance: ToolAdvance, audit?: Audit<StoredWorkspaceTool>): Promise<void>;
  /** Archives a tool. Its versions are kept for the agents that use them. @throws YagateError `NOT_FOUND`. */
  archive(workspaceId: string, toolId: string, at: EpochMs, audit?: Audit<StoredWorkspaceTool>): Promise<void>;
  /** Finds the current version of a tool, archived or not. */
  find(workspaceId: string, toolId: string): Promise<ToolRow | undefined>;
  /** Finds the active tool with this name. */
  findByName(workspaceId: string, name: string): Promise<ToolRow | undefined>;
  findVersion(toolId: string, version: number): Promise<ToolRow | undefined>;
  /** Lists active tools, newest first. */
  list(workspaceId: string, query: WorkspaceToolQuery): Promise<Page<StoredWorkspaceTool>>;
  /** Lists the versions of a tool, newest first. */
  versions(workspaceId: string, toolId: string, page: PageQuery): Promise<Page<StoredWorkspaceTool>>;
  /** Finds the latest test of any version. */
  findTest(workspaceId: string, toolId: string): Promise<WorkspaceToolTest | undefined>;
}

interface ToolRecord {
  readonly id: string;
  readonly version: number;
  readonly toolkit_id: string | null;
  readonly status: ToolStatus;
  readonly content: string;
  readonly last_test: string | null;
}

interface OwnedToolRecord extends ToolRecord {
  readonly workspace_id: string;
  readonly archived_at: number | null;
}

/** The content of a version: the tool without the fields that have separate columns. */
type Content = Omit<StoredWorkspaceTool, "status" | "toolkitId" | "lastTest"> & Pick<StoredWorkspaceTool, "warnings">;

interface TestRecord {
  readonly parameters: JsonObject;
  readonly lastTest: LastTest;
  readonly response: JsonValue;
  readonly error: ToolTestRecord["error"];
}

function toTool(record: ToolRecord): StoredWorkspaceTool {
  const content = fromJson<Content>(record.content);
  return {
    ...content,
    warnings: content.warnings.map(toToolWarning),
    status: record.status,
    toolkitId: record.toolkit_id,
    lastTest: record.last_test === null ? null : fromJson<LastTest>(record.last_test),
  } as StoredWorkspaceTool;
}

function toRow(record: OwnedToolRecord | undefined): ToolRow | undefined {
  return record && { workspaceId: record.workspace_id, tool: toTool(record), archivedAt: record.archived_at };
}

const noSuchTool = () => new YagateError("NOT_FOUND", "no tool with this id in this workspace");

function* insertVersion(tool: StoredWorkspaceTool): UnitOfWork<void> {
  const { status, toolkitId: _toolkitId, lastTest, ...content } = tool;
  yield* first(sql`
    INSERT INTO tool_versions (tool_id, version, status, content, last_test)
    VALUES (${tool.id}, ${tool.version}, ${status}, ${JSON.stringify(content)},
            ${lastTest === null ? null : JSON.stringify(lastTest)})`);
}

function* create(
  workspaceId: string,
  tools: readonly StoredWorkspaceTool[],
  toolkit?: ToolkitRow,
  audit?: ToolAudit,
  maxTools: number | null = null,
): UnitOfWork<void> {
  if (toolkit !== undefined) yield* insertToolkit(toolkit, audit?.toolkit);
  const taken: string[] = [];
  for (const tool of tools) {
    if (toolkit === undefined && tool.toolkitId !== null) yield* assertToolkit(workspaceId, tool.toolkitId);
    const inserted = yield* first(sql<{ id: string }>`
      INSERT INTO tools (id, workspace_id, name, kind, status, version, toolkit_id, archived_at)
      VALUES (${tool.id}, ${workspaceId}, ${tool.name}, ${tool.kind}, ${tool.status}, ${tool.version},
              ${tool.toolkitId}, NULL)
      ON CONFLICT (workspace_id, name) WHERE archived_at IS NULL DO NOTHING RETURNING id`);
    if (inserted === undefined) {
      taken.push(tool.name);
      continue;
    }
    yield* insertVersion(tool);
    yield* recordChange(audit?.tool, null, tool);
  }
  if (taken.length > 0) throw nameTaken(taken);
  // The count includes the new tools. If there are too many, the transaction is rolled back.
  if (maxTools !== null) assertWithin("tools", maxTools, yield* countTools(workspaceId), tools.length);
}

function* update(
  workspaceId: string,
  tool: StoredWorkspaceTool,
  expectedVersion: number,
  audit?: Audit<StoredWorkspaceTool>,
): UnitOfWork<void> {
  const existing = yield* findTool(workspaceId, tool.id);
  if (existing === undefined || existing.archivedAt !== null) throw noSuchTool();
  if (tool.toolkitId !== null && tool.toolkitId !== existing.tool.toolkitId) {
    yield* assertToolkit(workspaceId, tool.toolkitId);
  }
  const namesake = yield* findByName(workspaceId, tool.name);
  if (namesake !== undefined && namesake.tool.id !== tool.id) throw nameTaken([tool.name]);
  const isSame = canonicalJson(existing.tool.definition) === canonicalJson(tool.definition);
  if (!isSame || existing.tool.status !== tool.status) yield* assertFollowsNothing(existing.tool);
  yield* replaceVersion(tool, { ...existing.tool, version: expectedVersion }, audit);
  if (isSame) yield* ruleNextVersion({ tool: tool.id, version: expectedVersion });
}

/** @throws YagateError `CONFLICT` if the tool follows a source, to which its definition and status belong. */
function* assertFollowsNothing(tool: StoredWorkspaceTool): UnitOfWork<void> {
  const adopter = yield* findAdopter(tool.id);
  if (adopter === undefined) return;
  const { sourceName, name } = adopter;
  throw new YagateError("CONFLICT", `the definition of ${tool.name} follows ${name} of the tool source ${sourceName}`, {
    hint: "change the call options in the overrides of the source, or create another tool",
  });
}

/** Replaces a version of a tool with the next one in the current unit of work. @throws YagateError `CONFLICT`. */
export function* replaceVersion(
  tool: StoredWorkspaceTool,
  before: StoredWorkspaceTool,
  audit?: Audit<StoredWorkspaceTool>,
): UnitOfWork<void> {
  const updated = yield* first(sql<{ id: string }>`
    UPDATE tools SET version = ${tool.version}, name = ${tool.name}, kind = ${tool.kind}, status = ${tool.status},
      toolkit_id = ${tool.toolkitId}
    WHERE id = ${tool.id} AND version = ${before.version} RETURNING id`);
  if (updated === undefined) throw hasChanged();
  yield* insertVersion(tool);
  yield* recordChange(audit, before, tool);
}

function* advance(
  workspaceId: string,
  { toolId, version, from, to, test }: ToolAdvance,
  audit?: Audit<StoredWorkspaceTool>,
): UnitOfWork<void> {
  const existing = yield* findTool(workspaceId, toolId);
  const advanced = yield* first(sql<{ id: string }>`
    UPDATE tools SET status = ${to}
    WHERE id = ${toolId} AND workspace_id = ${workspaceId} AND archived_at IS NULL AND version = ${version}
      AND status = ${from} RETURNING id`);
  if (advanced === undefined) {
    throw existing === undefined || existing.archivedAt !== null ? noSuchTool() : hasChanged();
  }
  yield* first(sql`UPDATE tool_versions SET status = ${to} WHERE tool_id = ${toolId} AND version = ${version}`);
  if (test !== undefined) yield* keepTest(toolId, version, test);
  const { tool = null } = existing ?? {};
  yield* recordChange(audit, tool, tool && { ...tool, status: to, lastTest: test?.lastTest ?? tool.lastTest });
}

function* keepTest(toolId: string, version: number, test: ToolTestRecord): UnitOfWork<void> {
  const { lastTest, parameters, response, error } = test;
  const record: TestRecord = { parameters, lastTest, response, error };
  yield* first(sql`
    UPDATE tool_versions SET last_test = ${JSON.stringify(lastTest)} WHERE tool_id = ${toolId} AND version = ${version}`);
  yield* first(sql`
    INSERT INTO tool_tests (tool_id, version, test) VALUES (${toolId}, ${version}, ${JSON.stringify(record)})
    ON CONFLICT (tool_id) DO UPDATE SET version = excluded.version, test = excluded.test`);
}

function* archive(
  workspaceId: string,
  toolId: string,
  at: EpochMs,
  audit?: Audit<StoredWorkspaceTool>,
): UnitOfWork<void> {
  const archived = yield* first(sql<{ id: string }>`
    UPDATE tools SET archived_at = ${at}
    WHERE id = ${toolId} AND workspace_id = ${workspaceId} AND archived_at IS NULL RETURNING id`);
  if (archived === undefined) throw noSuchTool();
  yield* releaseAdoptedTool(toolId);
  yield* recordChange(audit, (yield* findTool(workspaceId, toolId))?.tool ?? null, null);
}

/** Finds the current version of a tool in the current unit of work, archived or not. */
export function* findTool(workspaceId: string, toolId: string): UnitOfWork<ToolRow | undefined> {
  return toRow(
    yield* first(sql<OwnedToolRecord>`
      SELECT t.id, t.workspace_id, t.archived_at, t.toolkit_id, v.version, v.status, v.content, v.last_test
      FROM tools t JOIN tool_versions v ON v.tool_id = t.id AND v.version = t.version
      WHERE t.id = ${toolId} AND t.workspace_id = ${workspaceId}`),
  );
}

function* findByName(workspaceId: string, name: string): UnitOfWork<ToolRow | undefined> {
  return toRow(
    yield* first(sql<OwnedToolRecord>`
      SELECT t.id, t.workspace_id, t.archived_at, t.toolkit_id, v.version, v.status, v.content, v.last_test
      FROM tools t JOIN tool_versions v ON v.tool_id = t.id AND v.version = t.version
      WHERE t.workspace_id = ${workspaceId} AND t.name = ${name} AND t.archived_at IS NULL`),
  );
}

function* findVersion(toolId: string, version: number): UnitOfWork<ToolRow | undefined> {
  return toRow(
    yield* first(sql<OwnedToolRecord>`
      SELECT t.id, t.workspace_id, t.archived_at, t.toolkit_id, v.version, v.status, v.content, v.last_test
      FROM tools t JOIN tool_versions v ON v.tool_id = t.id
      WHERE t.id = ${toolId} AND v.version = ${version}`),
  );
}

function* list(workspaceId: string, query: WorkspaceToolQuery): UnitOfWork<Page<StoredWorkspaceTool>> {
  const { limit, cursor, name = null, status = null, kind = null, toolkitId = null } = query;
  const records = yield* all(sql<ToolRecord>`
    SELECT t.id, t.toolkit_id, v.version, v.status, v.content, v.last_test
    FROM tools t JOIN tool_versions v ON v.tool_id = t.id AND v.version = t.version
    WHERE t.workspace_id = ${workspaceId} AND t.archived_at IS NULL AND t.id < ${idBelow(cursor)}
      AND (CAST(${name} AS TEXT) IS NULL OR t.name = ${name})
      AND (CAST(${status} AS TEXT) IS NULL OR t.status = ${status})
      AND (CAST(${kind} AS TEXT) IS NULL OR t.kind = ${kind})
      AND (CAST(${toolkitId} AS TEXT) IS NULL OR t.toolkit_id = ${toolkitId})
    ORDER BY t.id DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ id }) => id, toTool);
}

function* versions(workspaceId: string, toolId: string, page: PageQuery): UnitOfWork<Page<StoredWorkspaceTool>> {
  const { limit, cursor } = page;
  const records = yield* all(sql<ToolRecord>`
    SELECT t.id, t.toolkit_id, v.version, v.status, v.content, v.last_test
    FROM tools t JOIN tool_versions v ON v.tool_id = t.id
    WHERE t.id = ${toolId} AND t.workspace_id = ${workspaceId} AND v.version < ${numberBelow(cursor)}
    ORDER BY v.version DESC LIMIT ${limit + 1}`);
  return toPage(records, limit, ({ version }) => version, toTool);
}

function* findTest(workspaceId: string, toolId: string): UnitOfWork<WorkspaceToolTest | undefined> {
  const record = yield* first(sql<{ version: number; test: string }>`
    SELECT x.version, x.test FROM tools t JOIN tool_tests x ON x.tool_id = t.id
    WHERE t.id = ${toolId} AND t.workspace_id = ${workspaceId} AND t.archived_at IS NULL`);
  if (record === undefined) return undefined;
  const { lastTest, parameters, response, error } = fromJson<TestRecord>(record.test);
  const { at, ok, httpStatus, durationMs } = lastTest;
  return { toolId, version: record.version, parameters, at, ok, httpStatus, durationMs, response, error };
}

function nameTaken(names: readonly string[]): YagateError {
  const which = names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
  return new YagateError("CONFLICT", `the workspace already has tools with these names: ${which}`, {
    hint: "choose other names, or archive the tools that have them",
  });
}

function hasChanged(): YagateError {
  return new YagateError(
    "CONFLICT",
    "the tool has changed: read its current version and apply your change to that version",
  );
}

export function createToolStore(units: UnitRunner): ToolStore {
  return {
    create: (...change) => units.write(() => create(...change)),
    update: (...change) => units.write(() => update(...change)),
    advance: (...change) => units.write(() => advance(...change)),
    archive: (...change) => units.write(() => archive(...change)),
    find: (workspaceId, toolId) => units.read(() => findTool(workspaceId, toolId)),
    findByName: (workspaceId, name) => units.read(() => findByName(workspaceId, name)),
    findVersion: (toolId, version) => units.read(() => findVersion(toolId, version)),
    list: (workspaceId, query) => units.read(() => list(workspaceId, query)),
    versions: (workspaceId, toolId, page) => units.read(() => versions(workspaceId, toolId, page)),
    findTest: (workspaceId, toolId) => units.read(() => findTest(workspaceId, toolId)),
  };
}
