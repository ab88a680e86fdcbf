import { defined } from "@yagate/lib/objects/defined";
import {
  canonicalJson,
  type Page,
  type PageQuery,
  type SkippedTool,
  type StoredWorkspaceTool,
  type ToolSourceSettings,
  YagateError,
} from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import type { EpochMs } from "../epoch-ms.ts";
import { CLOCK_MARGIN_MS } from "../retention/retention.ts";
import { joinSql, sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import {
  type AdoptedTool,
  type Adopter,
  findAdopter,
  readAdoptedTools,
  releaseAdoptedTools,
  writeAdoptedTool,
} from "./adopted-tools.ts";
import { type AdoptedDefinition, writeAdoptedVersion } from "./adopted-versions.ts";
import { countSourceUse, type SourceUse } from "./agent-sources.ts";
import { type Audit, type AuditRow, insertAuditRow, recordChange } from "./audit.ts";
import { deleteOAuth } from "./oauth-grants.ts";
import { forgetRevokedTools, readRevokedTools, rememberRevokedTools } from "./revoked-tools.ts";
import { standingOfVersion, type ToolVersionKey } from "./ruled-versions.ts";
import {
  deleteSourceDocument,
  findDocumentSummary,
  findSourceDocument,
  type SourceDocumentRow,
  writeSourceDocument,
} from "./source-documents.ts";
import { createSourceSchedule, type SourceSchedule } from "./source-schedule.ts";
import {
  assertFewTools,
  countTools,
  type DefinitionStanding,
  deleteSuperseded,
  findDefinitions,
  forgetSourceTools,
  readSourceTools,
  type SourceDefinition,
  type SourceDefinitionKey,
  type SourceToolChange,
  type SourceToolRow,
  standingOf,
  type ToolCounts,
  withdrawDefinitions,
  writeSourceTools,
} from "./source-tools.ts";
import { type EraKey, findEra, forgetEras, type SourceEra, saveEra } from "./tool-source-eras.ts";
import { SOURCE_COLUMNS, type SourceRecord, type ToolSourceRow, toSourceRow } from "./tool-source-row.ts";

/** A change to a source and its tools. Omitted fields stay unchanged. */
export interface ToolSourceChange {
  readonly settings?: ToolSourceSettings;
  readonly status?: Pick<ToolSourceRow, "status" | "reason">;
  readonly skippedTools?: readonly SkippedTool[];
  /** The outcome of a read. */
  readonly sync?: Pick<ToolSourceRow, "storedRead" | "nextSyncAt" | "syncFailures" | "syncedAt">;
  /** When the change is made. */
  readonly at: EpochMs;
  readonly tools?: readonly SourceToolChange[];
  /** Names of the tools whose definitions may no longer run. */
  readonly withdrawn?: readonly string[];
  /** Names of the tools whose acceptance a person revokes. They are remembered until they are accepted again. */
  readonly revoked?: readonly string[];
  readonly document?: Partial<SourceDocumentRow>;
  /** Workspace tools that follow tools of the source from now on, with the versions at which they must be. */
  readonly adopted?: readonly (AdoptedTool & { readonly version: number })[];
  /** New definitions of workspace tools that follow tools of the source. */
  readonly adoptedDefinitions?: readonly AdoptedDefinition[];
  /** Records the new versions of workspace tools. */
  readonly toolAudit?: Audit<StoredWorkspaceTool>;
  /** Audit log entries; undefined ones are skipped. */
  readonly audit?: readonly (AuditRow | undefined)[];
}

/** Decides a change from the current state. It is called inside the unit of work, which may run twice. */
type PlanToolSourceChange = (
  source: ToolSourceRow,
  tools: readonly SourceToolRow[],
  use: SourceUse & { readonly adopted: readonly AdoptedTool[]; readonly revoked: readonly string[] },
) => ToolSourceChange;

/** A source, and when definitions of its tools were last withdrawn. */
export interface Withdrawal extends Pick<ToolSourceRow, "id" | "workspaceId" | "name"> {
  readonly withdrawnAt: EpochMs;
}

export interface ToolSourceStore extends SourceSchedule {
  /**
   * Creates a source without tools.
   * @param upload - the uploaded document.
   * @throws YagateError `CONFLICT` if the name is taken or the workspace would have more than `maxSources`.
   */
  create(source: ToolSourceRow, maxSources: number, audit?: Audit<ToolSourceRow>, upload?: string): Promise<void>;
  find(workspaceId: string, sourceId: string): Promise<ToolSourceRow | undefined>;
  findByName(workspaceId: string, name: string): Promise<ToolSourceRow | undefined>;
  /** Lists sources, newest first. */
  list(workspaceId: string, page: PageQuery): Promise<Page<ToolSourceRow>>;
  /** Lists the workspace tools that follow tools of a source. */
  adoptedTools(sourceId: string): Promise<readonly AdoptedTool[]>;
  /** Finds the source that a workspace tool follows; undefined if it follows none. */
  findAdopter(toolId: string): Promise<Adopter | undefined>;
  /** Lists the names of the tools whose acceptance a person revoked, including tools that are no longer published. */
  revokedTools(sourceId: string): Promise<readonly string[]>;
  /** Lists all tools of a source, ordered by name. */
  tools(sourceId: string): Promise<readonly SourceToolRow[]>;
  counts(sourceIds: readonly string[]): Promise<ReadonlyMap<string, ToolCounts>>;
  /** Finds the document of a source; undefined if it has none. */
  document(sourceId: string): Promise<SourceDocumentRow | undefined>;
  /** Returns what the latest successful sync found in the document of a source; null if nothing is known. */
  documentSummary(sourceId: string): Promise<string | null>;
  /**
   * Changes a source and its tools in one commit.
   * @param maxTools - maximum number of tools that all sources of the workspace may publish.
   * @throws YagateError `NOT_FOUND`; `TOO_MANY_TOOLS`; and the errors of `plan`.
   */
  change(workspaceId: string, sourceId: string, plan: PlanToolSourceChange, maxTools: number): Promise<ToolSourceRow>;
  /**
   * Deletes a source. Its definitions are kept as a record, but no longer run.
   * @param deletion.isForced - whether agents may refer to the source.
   * @throws YagateError `NOT_FOUND`; `CONFLICT` if agents refer to the source.
   */
  delete(
    workspaceId: string,
    sourceId: string,
    deletion: { readonly at: EpochMs; readonly isForced: boolean },
    audit?: Audit<ToolSourceRow>,
  ): Promise<void>;
  /** Finds accepted definitions, in the same order; undefined for those that do not exist. */
  findDefinitions(pins: readonly SourceDefinitionKey[]): Promise<readonly (SourceDefinition | undefined)[]>;
  /** Counts the agents that refer to a source. */
  useOf(sourceId: string): Promise<SourceUse>;
  /** Finds out which revisions of its protocol a source supports; undefined while that is unknown. */
  findEra(key: EraKey): Promise<SourceEra | undefined>;
  /** Saves which revisions a source supports, in place of what was known. */
  saveEra(key: EraKey, era: SourceEra): Promise<void>;
  /** Returns whether a definition may still run. */
  standingOf(pin: SourceDefinitionKey): Promise<DefinitionStanding>;
  /** Returns whether the definition that governs a version of a workspace tool may still run; undefined if there is none. */
  standingOfVersion(version: ToolVersionKey): Promise<DefinitionStanding | undefined>;
  /**
   * Deletes up to `limit` definitions that no source and no unfinished execution uses any more.
   * @returns the number of deleted definitions.
   */
  deleteSuperseded(now: EpochMs, limit: number): Promise<number>;
  /** Lists sources, also deleted ones, whose withdrawn definitions may belong to calls that wait for an approval. */
  listWithdrawals(): Promise<readonly Withdrawal[]>;
  /** Removes a source from that list, unless further definitions were withdrawn in the meantime. */
  settleWithdrawal(withdrawal: Withdrawal): Promise<void>;
}

const noSuchSource = () => new YagateError("NOT_FOUND", "no tool source with this id in this workspace");

function* find(workspaceId: string, sourceId: string): UnitOfWork<ToolSourceRow | undefined> {
  const record = yield* first(
    joinSql<SourceRecord>([
      sql`SELECT`,
      SOURCE_COLUMNS,
      sql`
    FROM tool_sources WHERE id = ${sourceId} AND workspace_id = ${workspaceId} AND archived_at IS NULL`,
    ]),
  );
  return record && toSourceRow(record);
}

function* findByName(workspaceId: string, name: string): UnitOfWork<ToolSourceRow | undefined> {
  const record = yield* first(
    joinSql<SourceRecord>([
      sql`SELECT`,
      SOURCE_COLUMNS,
      sql`
    FROM tool_sources WHERE workspace_id = ${workspaceId} AND name = ${name} AND archived_at IS NULL`,
    ]),
  );
  return record && toSourceRow(record);
}

function* list(workspaceId: string, { limit, cursor }: PageQuery): UnitOfWork<Page<ToolSourceRow>> {
  const records = yield* all(
    joinSql<SourceRecord>([
      sql`SELECT`,
      SOURCE_COLUMNS,
      sql`
    FROM tool_sources WHERE workspace_id = ${workspaceId} AND archived_at IS NULL AND id < ${idBelow(cursor)}
    ORDER BY id DESC LIMIT ${limit + 1}`,
    ]),
  );
  return toPage(records, limit, ({ id }) => id, toSourceRow);
}

function* create(
  source: ToolSourceRow,
  maxSources: number,
  audit?: Audit<ToolSourceRow>,
  upload?: string,
): UnitOfWork<void> {
  const { id, workspaceId, name, kind, revision, status, statusAt, generation, nextSyncAt } = source;
  const { createdAt, updatedAt } = source;
  const row = yield* first(sql<{ count: number }>`
    SELECT count(*) AS count FROM tool_sources WHERE workspace_id = ${workspaceId} AND archived_at IS NULL`);
  if (Number(row?.count ?? 0) >= maxSources) {
    const message = `expected at most ${maxSources} tool sources in a workspace: delete an unused one`;
    throw new YagateError("CONFLICT", message);
  }
  if ((yield* findByName(workspaceId, name)) !== undefined) {
    const message = "a tool source with this name exists: change that source, or choose another name";
    throw new YagateError("CONFLICT", message);
  }
  yield* first(sql`
    INSERT INTO tool_sources (id, workspace_id, name, kind, settings, revision, status, status_at, reason, generation,
                              next_sync_at, sync_failures, synced_at, reads, stored_read, created_at, updated_at)
    VALUES (${id}, ${workspaceId}, ${name}, ${kind}, ${JSON.stringify(source.settings)}, ${revision}, ${status},
            ${statusAt}, ${reasonText(source)}, ${generation}, ${nextSyncAt}, ${source.syncFailures},
            ${source.syncedAt}, ${source.reads}, ${source.storedRead}, ${createdAt}, ${updatedAt})`);
  if (upload !== undefined) yield* writeSourceDocument(id, { upload });
  yield* recordChange(audit, null, source);
}

function reasonText({ reason }: Pick<ToolSourceRow, "reason">): string | null {
  return reason === null ? null : JSON.stringify(reason);
}

function skippedText({ skippedTools }: Pick<ToolSourceRow, "skippedTools">): string | null {
  return skippedTools.length === 0 ? null : JSON.stringify(skippedTools);
}

function* change(
  workspaceId: string,
  sourceId: string,
  plan: PlanToolSourceChange,
  maxTools: number,
): UnitOfWork<ToolSourceRow> {
  const source = yield* find(workspaceId, sourceId);
  if (source === undefined) throw noSuchSource();
  const {
    settings,
    status,
    sync = {},
    skippedTools,
    at,
    tools = [],
    withdrawn = [],
    revoked = [],
    document = {},
    adopted = [],
    adoptedDefinitions = [],
    toolAudit,
    audit = [],
  } = plan(source, yield* readSourceTools(sourceId), {
    ...(yield* countSourceUse(sourceId)),
    adopted: yield* readAdoptedTools(sourceId),
    revoked: yield* readRevokedTools(sourceId),
  });
  const changed: ToolSourceRow = {
    ...source,
    ...(settings === undefined ? {} : { settings, revision: source.revision + 1, updatedAt: at }),
    ...(status === undefined ? {} : { ...status, statusAt: at }),
    ...sync,
    ...defined({ skippedTools }),
    generation: source.generation + (tools.length + withdrawn.length > 0 ? 1 : 0),
  };
  const { revision, statusAt, generation, updatedAt } = changed;
  yield* first(sql`
    UPDATE tool_sources
    SET settings = ${JSON.stringify(changed.settings)}, revision = ${revision}, status = ${changed.status},
        status_at = ${statusAt}, reason = ${reasonText(changed)}, skipped_tools = ${skippedText(changed)},
        generation = ${generation},
        next_sync_at = ${changed.nextSyncAt}, sync_failures = ${changed.syncFailures}, synced_at = ${changed.syncedAt},
        stored_read = ${changed.storedRead}, updated_at = ${updatedAt}
    WHERE id = ${sourceId}`);
  if (withdrawn.length > 0) yield* markWithdrawn(sourceId, at);
  if (placeOf(changed.settings) !== placeOf(source.settings)) {
    // Tokens for another place must not reach this one, not even if the settings are changed back.
    yield* deleteOAuth(sourceId);
    yield* forgetEras(sourceId);
  }
  // Before the tools are written: a definition that is accepted in the same change may run.
  yield* withdrawDefinitions(sourceId, withdrawn, at);
  yield* writeSourceTools(sourceId, tools, at);
  yield* rememberRevokedTools(sourceId, revoked);
  const accepted = tools.filter((tool) => tool.accepted !== null);
  yield* forgetRevokedTools(
    sourceId,
    accepted.map(({ name }) => name),
  );
  if (tools.length > 0) yield* storeHeld(sourceId);
  yield* writeSourceDocument(sourceId, document);
  if (tools.some(({ published }) => published !== null)) yield* assertFewTools(workspaceId, maxTools);
  for (const tool of adopted) yield* writeAdoptedTool(workspaceId, sourceId, tool);
  for (const one of adoptedDefinitions) yield* writeAdoptedVersion(workspaceId, one, at, toolAudit);
  for (const entry of audit) if (entry !== undefined) yield* insertAuditRow(entry);
  return changed;
}

/** Where a source is, and how the gateway identifies itself there. */
function placeOf(settings: ToolSourceSettings): string {
  return canonicalJson([settings.url, "auth" in settings ? settings.auth : null]);
}

/** Records that calls which wait for an approval may have to end. */
function* markWithdrawn(sourceId: string, at: EpochMs): UnitOfWork<void> {
  yield* first(sql`UPDATE tool_sources SET withdrawn_at = ${at} WHERE id = ${sourceId}`);
}

/** Stores the number of held tools, which the totals add up. */
function* storeHeld(sourceId: string): UnitOfWork<void> {
  const { published, accepted } = yield* countTools(sourceId);
  yield* first(sql`UPDATE tool_sources SET held_tools = ${published - accepted} WHERE id = ${sourceId}`);
}

function* remove(
  workspaceId: string,
  sourceId: string,
  { at, isForced }: { readonly at: EpochMs; readonly isForced: boolean },
  audit?: Audit<ToolSourceRow>,
): UnitOfWork<void> {
  const source = yield* find(workspaceId, sourceId);
  if (source === undefined) throw noSuchSource();
  const { agents } = yield* countSourceUse(sourceId);
  if (agents > 0 && !isForced) {
    const who = agents === 1 ? "an agent refers" : `${agents} agents refer`;
    throw new YagateError(
      "CONFLICT",
      `${who} to the tool source: remove it there, or delete the source with force=true`,
    );
  }
  yield* first(sql`
    UPDATE tool_sources SET archived_at = ${at}, generation = ${source.generation + 1} WHERE id = ${sourceId}`);
  yield* markWithdrawn(sourceId, at);
  yield* forgetSourceTools(sourceId, at);
  yield* first(sql`DELETE FROM revoked_tools WHERE source_id = ${sourceId}`);
  yield* releaseAdoptedTools(sourceId);
  yield* deleteOAuth(sourceId);
  yield* forgetEras(sourceId);
  yield* deleteSourceDocument(sourceId);
  yield* recordChange(audit, source, null);
}

function* listWithdrawals(): UnitOfWork<readonly Withdrawal[]> {
  const records = yield* all(sql<Pick<SourceRecord, "id" | "workspace_id" | "name"> & { withdrawn_at: number }>`
    SELECT id, workspace_id, name, withdrawn_at FROM tool_sources WHERE withdrawn_at IS NOT NULL ORDER BY withdrawn_at`);
  return records.map(({ id, workspace_id: workspaceId, name, withdrawn_at }) => {
    return { id, workspaceId, name, withdrawnAt: Number(withdrawn_at) };
  });
}

function* settleWithdrawal({ id, withdrawnAt }: Withdrawal): UnitOfWork<void> {
  yield* first(sql`UPDATE tool_sources SET withdrawn_at = NULL WHERE id = ${id} AND withdrawn_at = ${withdrawnAt}`);
}

function* readCounts(sourceIds: readonly string[]): UnitOfWork<ReadonlyMap<string, ToolCounts>> {
  const counts = new Map<string, ToolCounts>();
  for (const id of sourceIds) counts.set(id, yield* countTools(id));
  return counts;
}

export function createToolSourceStore(units: UnitRunner): ToolSourceStore {
  return {
    create: (...creation) => units.write(() => create(...creation)),
    find: (workspaceId, sourceId) => units.read(() => find(workspaceId, sourceId)),
    findByName: (workspaceId, name) => units.read(() => findByName(workspaceId, name)),
    list: (workspaceId, page) => units.read(() => list(workspaceId, page)),
    tools: (sourceId) => units.read(() => readSourceTools(sourceId)),
    document: (sourceId) => units.read(() => findSourceDocument(sourceId)),
    documentSummary: (sourceId) => units.read(() => findDocumentSummary(sourceId)),
    adoptedTools: (sourceId) => units.read(() => readAdoptedTools(sourceId)),
    revokedTools: (sourceId) => units.read(() => readRevokedTools(sourceId)),
    findAdopter: (toolId) => units.read(() => findAdopter(toolId)),
    counts: (sourceIds) => units.read(() => readCounts(sourceIds)),
    change: (...planned) => units.write(() => change(...planned)),
    findDefinitions: (pins) => units.read(() => findDefinitions(pins)),
    useOf: (sourceId) => units.read(() => countSourceUse(sourceId)),
    findEra: (key) => units.read(() => findEra(key)),
    saveEra: (key, era) => units.write(() => saveEra(key, era)),
    standingOf: (pin) => units.read(() => standingOf(pin)),
    standingOfVersion: (version) => units.read(() => standingOfVersion(version)),
    deleteSuperseded: (now, limit) =>
      units.write(() => deleteSuperseded(now - CLOCK_MARGIN_MS, CLOCK_MARGIN_MS, limit)),
    listWithdrawals: () => units.read(listWithdrawals),
    settleWithdrawal: (withdrawal) => units.write(() => settleWithdrawal(withdrawal)),
    delete: (...deletion) => units.write(() => remove(...deletion)),
    ...createSourceSchedule(units),
  };
}
