import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { EventStore } from "../events/event-store.ts";
import type { AuditStore } from "../tables/audit.ts";
import { CLOCK_MARGIN_MS, DAY_MS, type DeletionFailure, type RetentionStore } from "./retention.ts";

/** Rows that one commit deletes: a few ms of work, so that whoever appends at the same time hardly waits. */
const BATCH = 25;
/** After a batch there is a pause of this many times as long as it took: deleting takes a fifth of the time at most. */
const PAUSE_TIMES = 4;
const PAUSE_MS = { least: 5, most: 2_000 } as const;
const PASS_EVERY_MS = 600_000;
const FIRST_PASS_AFTER_MS = 60_000;
/** For how long a replica has the deleting without saying so again: another one takes over from one that died. */
const HOLD_MS = 60_000;

/** Options of {@link createRetention}. */
export interface RetentionOptions {
  readonly eventStore: Pick<EventStore, "deleteExpired">;
  readonly store: RetentionStore;
  readonly audit: Pick<AuditStore, "deleteBefore">;
  /** Unlike any other replica's. */
  readonly owner: string;
  /** How long ended executions are kept; undefined: for ever. */
  readonly executionRetentionDays: number | undefined;
  /** How long entries of the audit log are kept. */
  readonly auditRetentionDays: number;
  readonly now: () => EpochMs;
  readonly onError: (error: unknown) => void;
  /** How long from the end of a pass to the next one; default 10 minutes. */
  readonly everyMs?: number;
  /** For tests; default waits. Rejects when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Deletes in the background what has outlived its time. */
export interface Retention {
  start(): void;
  /**
   * One pass: deletes until nothing is left that is too old, or another replica does it.
   * @returns how many rows and executions went; undefined when this replica had nothing to do with it.
   */
  pass(): Promise<number | undefined>;
  /** Resolves after the batch that is on its way. */
  stop(): Promise<void>;
}

export function createRetention(options: RetentionOptions): Retention {
  const { eventStore, store, owner, executionRetentionDays, auditRetentionDays, now, onError } = options;
  const { everyMs = PASS_EVERY_MS } = options;
  const pause = options.pause ?? ((ms, signal) => sleep(ms, undefined, { signal, ref: false }));
  const stopping = new AbortController();
  const { signal } = stopping;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  /** Says from time to time that this replica is still at it. */
  async function hold(): Promise<boolean> {
    if (now() < heldUntil - HOLD_MS / 2) return true;
    const until = now() + HOLD_MS;
    if (!(await store.claim({ owner, now: now(), until }))) return false;
    heldUntil = until;
    return true;
  }

  /** Undefined: the replica lost it, or stops. */
  async function inTurn<Result>(batch: () => Promise<Result>): Promise<Result | undefined> {
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
      const count = await inTurn(batch);
      if (count === undefined || count === 0) return deleted;
      deleted += count;
    }
  }

  async function deleteEnded(retentionMs: number): Promise<number> {
    const endedBefore = now() - retentionMs - CLOCK_MARGIN_MS;
    let deleted = 0;
    const failures: DeletionFailure[] = [];
    let afterId: string | undefined = "";
    const deleteAfter = (id: string) => inTurn(() => store.deleteEnded({ endedBefore, afterId: id, limit: BATCH }));
    while (afterId !== undefined) {
      const done: Awaited<ReturnType<typeof deleteAfter>> = await deleteAfter(afterId);
      deleted += done?.deleted ?? 0;
      failures.push(...(done?.failures ?? []));
      afterId = done?.nextAfterId;
    }
    tellOf(failures);
    return deleted;
  }

  /** Once for a pass: a full disk fails for every one of them. */
  function tellOf(failures: readonly DeletionFailure[]): void {
    const [first] = failures;
    if (first === undefined) return;
    onError(
      new YagateError("INTERNAL", `could not delete ${failures.length} old executions, ${first.executionId} first`, {
        cause: first.error,
      }),
    );
  }

  async function pass(): Promise<number | undefined> {
    if (!(await hold())) return undefined;
    let expired = 0;
    const auditedBefore = now() - auditRetentionDays * DAY_MS;
    for (const batch of [
      () => eventStore.deleteExpired(now(), BATCH),
      () => options.audit.deleteBefore(auditedBefore, BATCH),
    ]) {
      // What fails here keeps nothing else.
      expired += await deleteAll(batch).catch((error: unknown) => {
        onError(error);
        return 0;
      });
    }
    const ended = executionRetentionDays === undefined ? 0 : await deleteEnded(executionRetentionDays * DAY_MS);
    heldUntil = Number.NEGATIVE_INFINITY;
    // Nobody else needs to look again before the next pass is due, unless this one was cut short.
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
