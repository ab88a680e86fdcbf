import { setTimeout as sleep } from "node:timers/promises";
import type { EpochMs } from "../epoch-ms.ts";
import type { StoredBytesStore } from "./stored-bytes.ts";

const EVERY_MS = 5_000;
/**
 * Pause after a step, as a multiple of the step's duration. While there is a backlog, counting takes at most a fifth of
 * the time.
 */
const PAUSE_TIMES = 4;
const LEAST_PAUSE_MS = 5;

/** The stored bytes of workspaces, as of the last read. */
export interface KnownStoredBytes {
  /** Returns the bytes of a workspace. */
  of(workspaceId: string): number;
  /** Returns the bytes of all workspaces. */
  total(): number;
  asOf(): EpochMs;
  /** Returns whether some rows have not been counted yet, so that the real values are higher. */
  isPartial(): boolean;
}

/** Options for {@link followStoredBytes}. */
export interface StoredBytesOptions {
  readonly store: StoredBytesStore;
  readonly now: () => EpochMs;
  /** Called with the total after each read. */
  readonly onTotal: (bytes: number) => void;
  readonly onError: (error: unknown) => void;
  /** Waits between steps; replaced in tests. Resolves immediately when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Sums the stored bytes in the background and caches the totals, so that reading them needs no statement. */
export function followStoredBytes({ store, now, onTotal, onError, pause = wait }: StoredBytesOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let totals: ReadonlyMap<string, number> = new Map();
  let total = 0;
  let asOf = now();
  let isPartial = true;
  let running: Promise<void> | undefined;

  /** Runs one step. @returns whether everything is counted. */
  async function look(): Promise<boolean> {
    const until = performance.now() + EVERY_MS;
    let isOver = false;
    while (!isOver && performance.now() < until && !signal.aborted) {
      const startedAt = performance.now();
      isOver = await store.advance();
      if (!isOver) await pause(Math.max(LEAST_PAUSE_MS, (performance.now() - startedAt) * PAUSE_TIMES), signal);
    }
    if (isOver) isPartial = false;
    await read();
    return isOver;
  }

  async function read(): Promise<void> {
    const readAt = now();
    totals = await store.totals();
    total = [...totals.values()].reduce((sum, bytes) => sum + bytes, 0);
    asOf = readAt;
    onTotal(total);
  }

  async function repeat(): Promise<void> {
    // Reads the totals of earlier runs first, so that the quota applies while a backlog is being counted.
    await read().catch(onError);
    while (!signal.aborted) {
      const isOver = await look().catch((error: unknown) => {
        if (!signal.aborted) onError(error);
        return true;
      });
      if (isOver) await pause(EVERY_MS, signal);
    }
  }

  const known: KnownStoredBytes = {
    of: (workspaceId) => totals.get(workspaceId) ?? 0,
    total: () => total,
    asOf: () => asOf,
    isPartial: () => isPartial,
  };
  return {
    known,
    start(): void {
      running ??= repeat();
    },
    /** Resolves after the current step. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
