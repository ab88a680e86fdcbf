import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { EventStore } from "../events/event-store.ts";
import type { AuditStore } from "../tables/audit.ts";
import type { ToolSourceStore } from "../tables/tool-sources.ts";
import { CLOCK_MARGIN_MS, DAY_MS, type DeletionFailure, type RetentionStore } from "./retention.ts";

/** Rows per commit: a few ms of work, so that concurrent appends hardly wait. */
const BATCH = 25;
/** Pause after a batch, as a multiple of the batch's duration. Deletion takes at most a fifth of the time. */
const PAUSE_TIMES = 4;
const PAUSE_MS = { least: 5, most: 2_000 } as const;
const PASS_INTERVAL_MS = 600_000;
const FIRST_PASS_AFTER_MS = 60_000;
/** How long a claim of the deletion lasts if it is not renewed. After that, another replica can take over. */
const HOLD_MS = 60_000;

/** Options for {@link createRetention}. */
export interface RetentionOptions {
  readonly eventStore: Pick<EventStore, "deleteExpired">;
  readonly store: RetentionStore;
  readonly audit: Pick<AuditStore, "deleteBefore">;
  readonly toolSources: Pick<ToolSourceStore, "deleteSuperseded">;
  /** Unique per replica. */
  readonly owner: string;
  /** How long ended executions are kept, in days; undefined: forever. */
  readonly executionRetentionDays: number | undefined;
  /** How long audit log entries are kept, in days. */
  readonly auditRetentionDays: number;
  readonly now: () => EpochMs;
  readonly onError: (error: unknown) => void;
  /** Time from the end of a pass to the next one; default 10 minutes. */
  readonly everyMs?: number;
  /** Waits between batches; replaced in tests. Rejects when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Deletes expired data in the background. */
export interface Retention {
  start(): void;
  /**
   * Makes one pass: deletes until nothing expired is left or another replica takes over.
   * @returns the number of deleted rows and executions; undefined if another replica is deleting.
   */
  pass(): Promise<number | undefined>;
  /** Stops the deletion. Resolves after the current batch. */
  stop(): Promise<void>;
}

export function createRetention(options: RetentionOptions): Retention {
  const { eventStore, store, owner, executionRetentionDays, auditRetentionDays, now, onError } = options;
  const { everyMs = PASS_INTERVAL_MS } = options;
  const pause = options.pause ?? ((ms, signal) => sleep(ms, undefined, { signal, ref: false }));
  const stopping = new AbortController();
  const { signal } = stopping;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  /** Renews the claim of this replica after half of its duration. */
  async function hold(): Promise<boolean> {
    if (now() < heldUntil - HOLD_MS / 2) return true;
    const until = now() + HOLD_MS;
    if (!(await store.claim({ owner, now: now(), until }))) return false;
    heldUntil = until;
    return true;
  }

  /** Runs a batch. @returns undefined if this replica has lost the claim or is shutting down. */
  async function runBatch<Result>(batch: () => Promise<Result>): Promise<Result | undefined> {
    if (signal.aborted || !(await hold())) return undefined;
    const before = performance.now();
    const result = await batch();
    const tookMs = performance.now() - before;
    await pause(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, tookMs * PAUSE_TIMES)), signal).catch(() => undefined);
    return result;
  }

  async function deleteAll(batch: () => Promise<number>): Promise<number> {
    let deleted = 0;
    for (;;) {
      const count = await runBatch(batch);
      if (count === undefined || count === 0) return deleted;
      deleted += count;
    }
  }

  async function deleteEnded(retentionMs: number): Promise<number> {
    const endedBefore = now() - retentionMs - CLOCK_MARGIN_MS;
    let deleted = 0;
    const failures: DeletionFailure[] = [];
    let afterId: string | undefined = "";
    const deleteAfter = (id: string) => runBatch(() => store.deleteEnded({ endedBefore, afterId: id, limit: BATCH }));
    while (afterId !== undefined) {
      const done: Awaited<ReturnType<typeof deleteAfter>> = await deleteAfter(afterId);
      deleted += done?.deleted ?? 0;
      failures.push(...(done?.failures ?? []));
      afterId = done?.nextAfterId;
    }
    reportFailures(failures);
    return deleted;
  }

  /** Reports failures once per pass, because all deletions fail if the disk is full. */
  function reportFailures(failures: readonly DeletionFailure[]): void {
    const [first] = failures;
    if (first === undefined) return;
    onError(
      new YagateError(
        "INTERNAL",
        `could not delete ${failures.length} expired executions; the first is ${first.executionId}`,
        {
          cause: first.error,
        },
      ),
    );
  }

  async function pass(): Promise<number | undefined> {
    if (!(await hold())) return undefined;
    let expired = 0;
    const auditedBefore = now() - auditRetentionDays * DAY_MS;
    for (const batch of [
      () => eventStore.deleteExpired(now(), BATCH),
      () => options.audit.deleteBefore(auditedBefore, BATCH),
      () => options.toolSources.deleteSuperseded(now(), BATCH),
    ]) {
      // If one batch fails, the others still run.
      expired += await deleteAll(batch).catch((error: unknown) => {
        onError(error);
        return 0;
      });
    }
    const ended = executionRetentionDays === undefined ? 0 : await deleteEnded(executionRetentionDays * DAY_MS);
    heldUntil = Number.NEGATIVE_INFINITY;
    // The claim is kept until the next pass is due, so that no other replica starts one earlier; an aborted pass gives
    // it up.
    const until = signal.aborted ? now() : now() + everyMs - HOLD_MS / 2;
    await store.claim({ owner, now: now(), until });
    return expired + ended;
  }

  async function repeat(): Promise<void> {
    for (let afterMs = Math.min(FIRST_PASS_AFTER_MS, everyMs); ; afterMs = everyMs) {
      await pause(afterMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await pass().catch(onError);
    }
  }

  return {
    start() {
      running ??= repeat();
    },
    pass,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
