import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";
import type { ReadModelStore } from "@yagate/store/port";
import { foldExecution } from "./fold-execution.ts";
import { STEPS } from "./steps.ts";

/** Time between two looks for changes; changes are at most 2 s old when they are read. */
const EVERY_MS = 1_000;
/** How long the claim lasts if it is not renewed. Then another replica takes over. */
const HOLD_MS = 5_000;
/**
 * Executions per commit: a few ms of work, so that concurrent appends hardly wait. Each commit writes the last page of
 * every index again, so a few large ones take less time than many small ones.
 */
const BATCH = 128;
/** Executions per step of the back-fill. */
const BACKFILL_BATCH = 32;
/** Pause after a step of the back-fill, as a multiple of its duration: it takes at most a fifth of the time. */
const BACKFILL_PAUSE_TIMES = 4;
const LEAST_PAUSE_MS = 5;
const DELETE_EVERY_MS = 60_000;
const DELETE_BATCH = 500;

/** Options for {@link createFollower}. */
export interface FollowerOptions {
  readonly store: ReadModelStore;
  /** Unique per replica. */
  readonly owner: string;
  /** How long ended executions are kept, in days; undefined: forever. Metrics are kept no longer. */
  readonly executionRetentionDays: number | undefined;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Waits between looks; replaced in tests. Resolves when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Keeps the read models up to date. */
export interface Follower {
  start(): void;
  /**
   * Reads everything that has changed, and one batch of the back-fill.
   * @returns whether nothing is left; undefined if another replica does this work.
   */
  look(): Promise<boolean | undefined>;
  /** Resolves after the current step. */
  stop(): Promise<void>;
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Creates the follower of a store. Several replicas may run one each: only the one with the claim works. */
export function createFollower(options: FollowerOptions): Follower {
  const { store, owner, executionRetentionDays, now, onError, pause = wait } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let heldUntil = Number.NEGATIVE_INFINITY;
  let deleteAt = Number.NEGATIVE_INFINITY;
  let isBackfilled = false;
  let running: Promise<void> | undefined;

  async function hold(): Promise<boolean> {
    if (now() < heldUntil - HOLD_MS / 2) return true;
    const until = now() + HOLD_MS;
    if (!(await store.claim({ owner, now: now(), until }))) return false;
    heldUntil = until;
    return true;
  }

  function report(failures: readonly { readonly executionId: string; readonly error: unknown }[]): void {
    const [first] = failures;
    if (first === undefined) return;
    const message = `could not read the events of ${failures.length} executions for lists and metrics; the first is ${first.executionId}`;
    onError(new YagateError("INTERNAL", message, { cause: first.error }));
  }

  /** Reads the changes of a moment: with constant load, there would be no end. */
  async function readChanges(): Promise<boolean> {
    const until = performance.now() + EVERY_MS;
    while (!signal.aborted && performance.now() < until) {
      if (!(await hold())) return false;
      const { isOver, failures } = await store.advance(foldExecution, BATCH);
      report(failures);
      if (isOver) return true;
      await pause(LEAST_PAUSE_MS, signal);
    }
    return false;
  }

  async function backfill(): Promise<void> {
    const startedAt = performance.now();
    const { isOver, failures } = await store.backfill(foldExecution, BACKFILL_BATCH);
    report(failures);
    isBackfilled = isOver;
    if (!isOver) await pause((performance.now() - startedAt) * BACKFILL_PAUSE_TIMES, signal);
  }

  async function deleteOld(): Promise<void> {
    if (now() < deleteAt) return;
    deleteAt = now() + DELETE_EVERY_MS;
    const retentionMs = (executionRetentionDays ?? Number.POSITIVE_INFINITY) * 86_400_000;
    for (const { seconds, keptMs } of STEPS) {
      const before = now() - Math.min(keptMs, retentionMs) - seconds * 1_000;
      while (!signal.aborted && (await store.deletePoints(seconds, before, DELETE_BATCH)) === DELETE_BATCH);
    }
  }

  async function look(): Promise<boolean | undefined> {
    if (!(await hold())) return undefined;
    const isOver = await readChanges();
    if (!isBackfilled && !signal.aborted) await backfill();
    await deleteOld();
    return isOver && isBackfilled;
  }

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      const isOver = await look().catch((error: unknown) => {
        if (!signal.aborted) onError(error);
        return true;
      });
      await pause(isOver === false ? LEAST_PAUSE_MS : EVERY_MS, signal);
    }
  }

  return {
    start() {
      running ??= repeat();
    },
    look,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
