import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import type { ChangeRecorder, ToolSourceChange, ToolSourceRow, ToolSourceStore } from "@yagate/store/port";
import { planSync, type SyncRules } from "@yagate/tool-sources/plan-sync";
import type { KnownTool } from "@yagate/tool-sources/port";
import type { ToolSourceReport } from "../config/development-config.ts";
import { SYNC_LEASE_MS } from "./port.ts";
import type { ReadSource } from "./read-source.ts";
import { acceptanceEntries, TOOL_SOURCE_SUBJECT } from "./source-audit.ts";
import { isScheduled } from "./source-settings.ts";
import { merged, statusOf } from "./source-status.ts";
import { toKnownTools, toStored } from "./stored-tools.ts";
import { syncWaitMs } from "./sync-times.ts";
import { reportChanges } from "./tool-source-report.ts";

/** The result of a sync, as metrics count it. `failed`: the gateway itself failed, which says nothing about the source. */
export type SyncResult = "ready" | "changed" | "unreachable" | "unauthorized" | "failed";

export interface SourceSyncOptions {
  readonly store: Pick<ToolSourceStore, "find" | "beginRead" | "change">;
  readonly readSource: ReadSource;
  /** Maximum number of tools that all sources of a workspace may publish. */
  readonly maxTools: number;
  readonly now: () => number;
  /** Returns a number of at least 0 and less than 1. */
  readonly random: () => number;
  /** Called after each sync. */
  readonly onSynced?: (result: SyncResult) => void;
  /** Called with what a sync found, if the published tools are not the same as before. */
  readonly onReport?: ((report: ToolSourceReport) => void) | undefined;
  /** Whether sources with `onChange: "accept"` accept every change, for development. Default false. */
  readonly acceptsEverything?: boolean;
}

/** How a sync runs. */
export interface SyncContext {
  readonly recorder: ChangeRecorder;
  /** Whether tools that are not known yet are accepted. */
  readonly acceptsNew?: boolean;
  /** Whether the sync gets an entry in the audit log in addition to those of the tools that it accepts. */
  readonly isRecorded?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Reads what a source publishes and stores what changed. After a failure, the tools stay as they are, and the source's
 * status has the reason.
 */
export interface SourceSync {
  /** @throws YagateError the failure, after it was stored; `NOT_FOUND`. */
  run(workspaceId: string, sourceId: string, context: SyncContext): Promise<ToolSourceRow>;
  /** Syncs a source whose read has started. @throws YagateError as `run`. */
  runBegun(source: ToolSourceRow, context: SyncContext): Promise<ToolSourceRow>;
}

/** Maximum number of reads for one sync. Each change of the source's settings during a read makes another one necessary. */
const MAX_READS = 3;
const UNAUTHORIZED: ReadonlySet<string> = new Set(["SOURCE_UNAUTHORIZED", "INVALID_RESPONSE_SIGNATURE"]);
/** Failures of the gateway itself, which say nothing about the source. */
export const OWN_FAILURES: ReadonlySet<string> = new Set(["UNAVAILABLE", "INTERNAL", "NOT_FOUND"]);

export function createSourceSync(options: SourceSyncOptions): SourceSync {
  const { store, readSource, maxTools, now, random, onSynced, onReport, acceptsEverything = false } = options;

  async function beginRead(workspaceId: string, sourceId: string): Promise<ToolSourceRow> {
    const at = now();
    const source = await store.beginRead(workspaceId, sourceId, { now: at, until: at + SYNC_LEASE_MS });
    if (source === undefined) throw new YagateError("NOT_FOUND", "no tool source with this id in this workspace");
    return source;
  }

  /** Returns undefined if the settings of the source changed in the meantime. */
  async function attempt(source: ToolSourceRow, context: SyncContext): Promise<ToolSourceRow | undefined> {
    const { workspaceId, id, revision, reads } = source;
    const { published, skippedTools, documentSummary: summary } = await readSource(source, context.signal);
    let hasOtherSettings = false;
    let found: ToolSourceReport | undefined;
    const changed = await store.change(
      workspaceId,
      id,
      (current, rows, use) => {
        hasOtherSettings = current.revision !== revision;
        // What a later read found is at least as recent.
        if (hasOtherSettings || current.storedRead > reads) return { at: now() };
        const known = toKnownTools(rows);
        const rules = syncRules(current, use, { acceptsNew: context.acceptsNew === true, acceptsEverything });
        const tools = planSync(known, published, rules);
        found = onReport === undefined ? undefined : reportChanges(current, known, tools, now());
        return {
          ...success({ ...current, storedRead: reads }, known, tools, {
            ...context,
            requestedAt: requestedDuring(source, current),
          }),
          ...{ skippedTools, document: defined({ summary }) },
        };
      },
      maxTools,
    );
    if (found !== undefined) onReport?.(found);
    return hasOtherSettings ? undefined : changed;
  }

  function success(
    source: ToolSourceRow,
    known: readonly KnownTool[],
    tools: readonly KnownTool[],
    { recorder, isRecorded = false, requestedAt }: SyncContext & { readonly requestedAt: number | undefined },
  ): ToolSourceChange {
    const at = now();
    const status = { status: statusOf(merged(known, tools), source), reason: null };
    const after = { ...source, ...status, statusAt: at, generation: source.generation + (tools.length > 0 ? 1 : 0) };
    const synced = recorder.of(source.workspaceId, "tool_source.synced", TOOL_SOURCE_SUBJECT);
    return {
      ...{ at, status, tools: tools.map(toStored) },
      sync: { ...nextSync(source, 0, at), syncedAt: at, ...defined({ nextSyncAt: requestedAt }) },
      audit: [...(isRecorded ? [synced(source, after)] : []), ...acceptanceEntries(source, known, tools, recorder)],
    };
  }

  /** Returns the outcome of a read, with the time of the next one. */
  function nextSync({ settings, storedRead, syncedAt }: ToolSourceRow, syncFailures: number, at: number) {
    const waitMs = syncWaitMs(syncFailures, settings.syncIntervalSeconds, random());
    return { storedRead, syncFailures, syncedAt, nextSyncAt: isScheduled(settings) ? at + waitMs : null };
  }

  async function storeFailure(
    { workspaceId, id, reads }: ToolSourceRow,
    { code, message }: YagateError,
    { recorder, isRecorded = false }: SyncContext,
  ): Promise<void> {
    const status = failedStatus(code);
    const synced = recorder.of(workspaceId, "tool_source.synced", TOOL_SOURCE_SUBJECT);
    await store.change(
      workspaceId,
      id,
      (source) => {
        const failed = { status, reason: { code, message } };
        const at = now();
        if (source.storedRead > reads) return { at };
        return {
          ...{ at, status: failed },
          sync: nextSync({ ...source, storedRead: reads }, source.syncFailures + 1, at),
          audit: isRecorded ? [synced(source, { ...source, ...failed, statusAt: at })] : [],
        };
      },
      maxTools,
    );
  }

  async function read(source: ToolSourceRow, context: SyncContext): Promise<ToolSourceRow | undefined> {
    try {
      const synced = await attempt(source, context);
      if (synced !== undefined) onSynced?.(synced.status);
      return synced;
    } catch (error) {
      // A sync that was aborted says nothing about the source either.
      const isOwn = !YagateError.is(error) || OWN_FAILURES.has(error.code) || context.signal.aborted;
      if (!isOwn) await storeFailure(source, error, context);
      onSynced?.(isOwn ? "failed" : failedStatus(error.code));
      throw error;
    }
  }

  async function runBegun(begun: ToolSourceRow, context: SyncContext): Promise<ToolSourceRow> {
    let source = begun;
    for (let reads = 1; ; reads += 1) {
      const synced = await read(source, context);
      if (synced !== undefined) return synced;
      if (reads === MAX_READS) break;
      source = await beginRead(source.workspaceId, source.id);
    }
    throw new YagateError("CONFLICT", "other requests keep changing the tool source; try again");
  }

  return {
    runBegun,
    run: async (workspaceId, sourceId, context) => runBegun(await beginRead(workspaceId, sourceId), context),
  };
}

/**
 * Returns the time of a sync that was requested during a read: the current read may have missed what the request is
 * about. Only a request makes the next sync due before the lease of the read ends.
 */
function requestedDuring(begun: ToolSourceRow, current: ToolSourceRow): number | undefined {
  const { nextSyncAt } = current;
  if (nextSyncAt === null || begun.nextSyncAt === null) return undefined;
  return nextSyncAt < begun.nextSyncAt ? nextSyncAt : undefined;
}

/** Returns the rules by which a sync of a source accepts or holds tools. */
export function syncRules(
  { settings: { onChange } }: Pick<ToolSourceRow, "settings">,
  { listingAll, revoked }: { readonly listingAll: number; readonly revoked: readonly string[] },
  { acceptsNew, acceptsEverything }: { readonly acceptsNew: boolean; readonly acceptsEverything: boolean },
): SyncRules {
  return {
    ...{ onChange, acceptsNew, revoked: new Set(revoked) },
    ...{ holdsNew: listingAll > 0 && !acceptsEverything, holdsLaxer: !acceptsEverything },
  };
}

/** Returns the status of a source whose sync failed with this code. */
export function failedStatus(code: string): "unauthorized" | "unreachable" {
  return UNAUTHORIZED.has(code) ? "unauthorized" : "unreachable";
}
