import { defined } from "@yagate/lib/objects/defined";
import {
  type AcceptTools,
  type AdoptTools,
  type createToolSourceSchema,
  MAX_TOOL_SOURCES,
  type OnChange,
  type Page,
  type PageQuery,
  type RevokeTools,
  type SourceToolDetail,
  type StoredWorkspaceTool,
  type ToolChange,
  type ToolSource,
  type ToolSourceSettings,
  type UpdateToolSource,
  YagateError,
} from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder, ToolSourceRow, ToolSourceStore, ToolStore } from "@yagate/store/port";
import { listChanges } from "@yagate/tool-sources/changes";
import { judgeTools } from "@yagate/tool-sources/offered-tools";
import { planAcceptance, planRevocation, planSettings } from "@yagate/tool-sources/plan-acceptance";
import { type AdoptionFault, planAdoption } from "@yagate/tool-sources/plan-adoption";
import type { ToolsChange } from "@yagate/tool-sources/port";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { adoptedDefinitions } from "./adopted-definitions.ts";
import { checkOptions } from "./check-tools.ts";
import { createReadAdoptions } from "./openapi/adoptions.ts";
import { shownDocument } from "./openapi/document-summary.ts";
import { SYNC_LEASE_MS } from "./port.ts";
import type { AssertSettings } from "./settings-check.ts";
import { acceptanceEntries, adoptionEntries, TOOL_SOURCE_SUBJECT } from "./source-audit.ts";
import { changedSettings, createdSettings, isScheduled } from "./source-settings.ts";
import { merged, statusOf } from "./source-status.ts";
import type { SourceSync } from "./source-sync.ts";
import type { TestSource } from "./source-test.ts";
import { toSourceToolDetail, toSourceTools, toToolSource } from "./source-view.ts";
import { toKnownTools, toStored } from "./stored-tools.ts";

/** Who makes a change, and until when. */
export interface SourceRequest {
  readonly recorder: ChangeRecorder;
  readonly signal: AbortSignal;
}

/** The tool sources of a workspace. Methods that take an id throw `NOT_FOUND` if the workspace has no such source. */
export interface ToolSources {
  /**
   * Creates a source and syncs it. A sync that fails leaves a source without tools; its status has the reason.
   * @throws InvalidRequestError; YagateError `CONFLICT`.
   */
  create(
    workspaceId: string,
    body: z.output<typeof createToolSourceSchema>,
    request: SourceRequest,
  ): Promise<ToolSource>;
  list(workspaceId: string, page: PageQuery): Promise<Page<ToolSource>>;
  get(workspaceId: string, sourceId: string): Promise<ToolSource>;
  /**
   * Reads one tool by its published name.
   * @throws YagateError `NOT_FOUND` also if the tool is neither published nor accepted.
   */
  tool(workspaceId: string, sourceId: string, name: string): Promise<SourceToolDetail>;
  /** Changes the settings, then syncs the source. If the sync fails, the source's status has the reason. */
  update(
    workspaceId: string,
    sourceId: string,
    change: z.output<z.ZodType<UpdateToolSource>>,
    request: SourceRequest,
  ): Promise<ToolSource>;
  /**
   * Deletes a source. Its tools then no longer run, even in executions that have started.
   * @param isForced - whether agents may refer to the source.
   * @throws YagateError `CONFLICT` if agents refer to the source.
   */
  delete(workspaceId: string, sourceId: string, isForced: boolean, recorder: ChangeRecorder): Promise<void>;
  /** @throws YagateError the reason why the sync failed. */
  sync(workspaceId: string, sourceId: string, request: SourceRequest): Promise<ToolSource>;
  /** Reads a source now and says what a sync would find. Nothing is stored. */
  test: TestSource;
  /** Syncs a source after it was signed in. If the sync fails, the source's status has the reason. */
  resync(workspaceId: string, sourceId: string, request: SourceRequest): Promise<ToolSource>;
  /** Lists the tools that differ from what was accepted, ordered by name. */
  changes(workspaceId: string, sourceId: string): Promise<readonly ToolChange[]>;
  /**
   * Accepts all of these definitions, or none.
   * @throws InvalidRequestError `CONFLICT`, which lists the tools whose definitions have changed in the meantime.
   */
  accept(workspaceId: string, sourceId: string, body: AcceptTools, recorder: ChangeRecorder): Promise<ToolSource>;
  revoke(workspaceId: string, sourceId: string, body: RevokeTools, recorder: ChangeRecorder): Promise<ToolSource>;
  /**
   * Makes workspace tools follow operations of an OpenAPI document: all of them, or none. Their definitions become the
   * accepted ones.
   * @throws InvalidRequestError; YagateError `CONFLICT` for another kind of source, or if a tool changes in the meantime.
   */
  adopt(workspaceId: string, sourceId: string, body: AdoptTools, recorder: ChangeRecorder): Promise<ToolSource>;
}

export interface ToolSourcesOptions {
  readonly store: ToolSourceStore;
  readonly tools: Pick<ToolStore, "find">;
  /** How the new versions of workspace tools appear in the audit log. */
  readonly toolSubject: AuditSubject<StoredWorkspaceTool>;
  readonly sync: SourceSync;
  readonly test: TestSource;
  readonly assertSettings: AssertSettings;
  readonly maxTools: number;
  readonly now: () => number;
  readonly newSourceId: () => string;
  /** What happens to changed tools of a handler if its source does not say. Default `hold`. */
  readonly onHandlerChange?: OnChange;
  /** Called after tools were adopted. */
  readonly onAdopted: () => void;
}

export function createToolSources(options: ToolSourcesOptions): ToolSources {
  const { store, tools: workspaceTools, sync, assertSettings, maxTools, now, onHandlerChange } = options;
  const readAdoptions = createReadAdoptions({ store, tools: workspaceTools });

  async function read(workspaceId: string, sourceId: string) {
    const source = await store.find(workspaceId, sourceId);
    if (source === undefined) throw new YagateError("NOT_FOUND", "no tool source with this id in this workspace");
    const { name, settings } = source;
    return { source, judged: judgeTools(toKnownTools(await store.tools(sourceId)), { name, ...settings }) };
  }

  async function view(workspaceId: string, sourceId: string): Promise<ToolSource> {
    const { source, judged } = await read(workspaceId, sourceId);
    const counts = await store.counts([sourceId]);
    const document =
      source.settings.kind === "openapi" ? shownDocument(await store.documentSummary(sourceId)) : undefined;
    const shown = toToolSource(source, countsOf(counts, sourceId));
    const adopted = source.kind === "openapi" ? await store.adoptedTools(sourceId) : [];
    return { ...shown, ...defined({ document }), tools: toSourceTools(judged, adopted) };
  }

  /** Makes a change to the tools that a person decided, and returns the source after it. */
  async function decide(
    workspaceId: string,
    sourceId: string,
    recorder: ChangeRecorder,
    plan: (
      source: ToolSourceRow,
      rows: ReturnType<typeof toKnownTools>,
    ) => ToolsChange & { settings?: ToolSourceSettings },
  ): Promise<ToolSource> {
    const toolAudit = recorder.of(workspaceId, "tool.updated", options.toolSubject);
    const change: PlanChange = (source, rows, { adopted }) => {
      const known = toKnownTools(rows);
      const { tools, withdrawn, revoked, settings } = plan(source, known);
      const hasFailed = source.status === "unreachable" || source.status === "unauthorized";
      const status = statusOf(merged(known, tools), source);
      return {
        ...{ at: now(), tools: tools.map(toStored), withdrawn },
        ...defined({ settings, revoked }),
        // The reason of a failed sync stays until a sync succeeds.
        ...(hasFailed ? {} : { status: { status, reason: null } }),
        ...{ adoptedDefinitions: adoptedDefinitions(adopted, known, tools), toolAudit },
        audit: acceptanceEntries(source, known, tools, recorder),
      };
    };
    await store.change(workspaceId, sourceId, change, maxTools);
    return view(workspaceId, sourceId);
  }

  /** Syncs a source whose new settings are already stored, so that a failure only shows in its status. */
  async function syncQuietly(workspaceId: string, sourceId: string, request: SourceRequest, acceptsNew = false) {
    try {
      await sync.run(workspaceId, sourceId, { ...request, acceptsNew });
    } catch (error) {
      if (!YagateError.is(error)) throw error;
      const found = await store.find(workspaceId, sourceId);
      // Only a failure that is stored shows in the status.
      if (found?.reason?.code !== error.code) throw error;
    }
  }

  return {
    async create(workspaceId, body, request) {
      const { name, accept } = body;
      const { settings, upload } = createdSettings(body, onHandlerChange);
      await assertSettings(workspaceId, settings);
      const at = now();
      const source: ToolSourceRow = {
        ...{ id: options.newSourceId(), workspaceId, name, kind: settings.kind, settings, revision: 1 },
        ...{ status: "ready", statusAt: at, reason: null, generation: 0, createdAt: at, updatedAt: at },
        skippedTools: [],
        // The sync below comes first, unless this process ends before that.
        nextSyncAt: isScheduled(settings) ? at + SYNC_LEASE_MS : null,
        ...{ syncFailures: 0, syncedAt: null, reads: 0, storedRead: 0 },
      };
      const audit = request.recorder.of(workspaceId, "tool_source.created", TOOL_SOURCE_SUBJECT);
      await store.create(source, MAX_TOOL_SOURCES, audit, upload);
      await syncQuietly(workspaceId, source.id, request, accept === "all");
      return view(workspaceId, source.id);
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      const counts = await store.counts(data.map(({ id }) => id));
      return { data: data.map((source) => toToolSource(source, countsOf(counts, source.id))), nextCursor };
    },
    get: view,
    async tool(workspaceId, sourceId, name) {
      const { source, judged } = await read(workspaceId, sourceId);
      const found = judged.find(({ tool }) => tool.name === name);
      const adopted = source.kind === "openapi" ? await store.adoptedTools(sourceId) : [];
      const shown = found && toSourceToolDetail(found, adopted);
      if (shown === undefined) throw new YagateError("NOT_FOUND", "the tool source has no tool with this name");
      return shown;
    },
    async update(workspaceId, sourceId, change, request) {
      const { source } = await read(workspaceId, sourceId);
      const { settings } = changedSettings(source.settings, change);
      await assertSettings(workspaceId, settings);
      const updated = request.recorder.of(workspaceId, "tool_source.updated", TOOL_SOURCE_SUBJECT);
      await store.change(
        workspaceId,
        sourceId,
        (current, rows, { adopted }) => {
          const known = toKnownTools(rows);
          const { settings: next, upload } = changedSettings(current.settings, change);
          const { name } = current;
          const { tools, withdrawn } = planSettings(known, { name, ...current.settings }, { name, ...next });
          const versions = tools.flatMap(({ published }) => (published === null ? [] : [published]));
          const errors = checkOptions(versions, next.overrides);
          if (errors.length > 0) throw new InvalidRequestError(errors);
          const after = { ...current, settings: next, updatedAt: now() };
          return {
            ...{ at: after.updatedAt, settings: next, tools: tools.map(toStored), withdrawn },
            document: defined({ upload }),
            adoptedDefinitions: adoptedDefinitions(adopted, known, tools),
            toolAudit: request.recorder.of(workspaceId, "tool.updated", options.toolSubject),
            audit: [updated(current, after), ...acceptanceEntries(current, known, tools, request.recorder)],
          };
        },
        maxTools,
      );
      await syncQuietly(workspaceId, sourceId, request);
      return view(workspaceId, sourceId);
    },
    async delete(workspaceId, sourceId, isForced, recorder) {
      const audit = recorder.of(workspaceId, "tool_source.deleted", TOOL_SOURCE_SUBJECT);
      await store.delete(workspaceId, sourceId, { at: now(), isForced }, audit);
    },
    async sync(workspaceId, sourceId, request) {
      await sync.run(workspaceId, sourceId, { ...request, isRecorded: true });
      return view(workspaceId, sourceId);
    },
    test: options.test,
    async resync(workspaceId, sourceId, request) {
      await syncQuietly(workspaceId, sourceId, request);
      return view(workspaceId, sourceId);
    },
    changes: async (workspaceId, sourceId) => listChanges((await read(workspaceId, sourceId)).judged),
    accept: (workspaceId, sourceId, { tools }, recorder) =>
      decide(workspaceId, sourceId, recorder, ({ name, settings }, known) => {
        const planned = planAcceptance(known, tools, { name, ...settings });
        if ("moved" in planned) throw new MovedToolsError(planned.moved);
        const { change, overrides } = planned;
        return { ...change, ...(overrides === undefined ? {} : { settings: { ...settings, overrides } }) };
      }),
    revoke: (workspaceId, sourceId, { tools }, recorder) =>
      decide(workspaceId, sourceId, recorder, (_source, known) => planRevocation(known, tools)),
    async adopt(workspaceId, sourceId, body, recorder) {
      const wanted = await readAdoptions((await read(workspaceId, sourceId)).source, body);
      const change: PlanChange = (source, rows, { adopted: before }) => {
        const known = toKnownTools(rows);
        const { name, settings } = source;
        const planned = planAdoption(known, toolIdsByName(before), wanted, { name, ...settings });
        if ("faults" in planned) throw refusedAdoption(planned.faults);
        const { adopted, tools } = planned;
        const entries = [
          ...adoptionEntries(source, adopted, recorder),
          ...acceptanceEntries(source, known, tools, recorder),
        ];
        const status = { status: statusOf(merged(known, tools), source), reason: null };
        // The reason of a failed sync stays until a sync succeeds.
        const shown = source.reason === null ? { status } : {};
        return { at: now(), adopted, tools: tools.map(toStored), ...shown, audit: entries };
      };
      await store.change(workspaceId, sourceId, change, maxTools);
      options.onAdopted();
      return view(workspaceId, sourceId);
    },
  };
}

type PlanChange = Parameters<ToolSourceStore["change"]>[2];

function toolIdsByName(adopted: readonly { readonly toolId: string; readonly name: string }[]) {
  return new Map(adopted.map(({ toolId, name }) => [name, toolId]));
}

function refusedAdoption(faults: readonly AdoptionFault[]): InvalidRequestError {
  return new InvalidRequestError(
    faults.map(({ index, field, code, message }) => ({ path: `tools[${index}].${field}`, code, message })),
  );
}

function countsOf(counts: Awaited<ReturnType<ToolSourceStore["counts"]>>, sourceId: string) {
  return counts.get(sourceId) ?? { published: 0, accepted: 0, removed: 0 };
}

/** Tools that no longer have the definition that was reviewed, or that the source no longer publishes. */
class MovedToolsError extends InvalidRequestError {
  constructor(indexes: readonly number[]) {
    const message = "the published definition has another hash now, or the tool is no longer published";
    const fields = indexes.map((index) => ({ path: `tools[${index}].hash`, code: "TOOL_CHANGED", message }));
    super(fields, "CONFLICT", "definitions changed after they were reviewed, so none was accepted; see errors");
  }
}
