import type { ExecutionRow } from "@yagate/store/port";
import type { WorkspaceCounts } from "./execution-slots.ts";

/** Decides which execution is advanced where and when. */
export interface Scheduler {
  /** Takes up whatever an earlier process left unfinished, then watches for lapsed leases. */
  start(): Promise<void>;
  /** Advances an execution that was just made under this process's lease. */
  submit(execution: ExecutionRow): void;
  /** Takes nothing new, waits for what is on its way up to `drainMs`, then drops it: at most 3 s later it ends. */
  stop(drainMs: number): Promise<void>;
  /** How the executions stand that this process holds. */
  counts(): SchedulerCounts;
  /** How many executions this process holds. */
  readonly activeCount: number;
}

/** How many executions a process holds, by what they do. */
export interface SchedulerCounts {
  readonly running: number;
  /** For an answer, a moment, or a concurrency slot of an endpoint: none of them holds a place. */
  readonly waiting: number;
  /** For a place among the running. */
  readonly pending: number;
  /** Since when the first of them does, in ms since the epoch; null: there is none. */
  readonly oldestPendingAt: number | null;
  /** Executions that run at the same time before workspaces start beyond them for their share. */
  readonly slots: number;
  readonly workspaces: WorkspaceCounts;
}

/** One execution as its scheduler sees it. */
export interface ScheduledRun {
  /** Resolves when it has ended, was taken over or laid down, or has stopped after `drain`. */
  readonly done: Promise<void>;
  /** It only waits: for an answer, a moment, or a concurrency slot of an endpoint. It needs no place among the running. */
  readonly isWaiting: boolean;
  /** It waits for nothing but a concurrency slot of an endpoint. */
  readonly isQueued: boolean;
  /** Starts nothing more; resolves `done` when what is on its way has been recorded. */
  drain(): void;
  /** Drops what is on its way. */
  abort(): void;
}

/**
 * Starts to advance an execution. `isRecovered`: another owner was here before. `onActivity` is called whenever
 * `isWaiting` or `isQueued` may have changed.
 */
export type StartRun = (execution: ExecutionRow, isRecovered: boolean, onActivity: () => void) => ScheduledRun;
