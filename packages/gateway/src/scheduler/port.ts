import type { ExecutionRow } from "@yagate/store/port";
import type { WorkspaceCounts } from "./execution-slots.ts";

/** Decides which executions this process runs, and when. */
export interface Scheduler {
  /** Continues what an earlier process left unfinished, then watches for lapsed leases. */
  start(): Promise<void>;
  /** Runs an execution that was just created under this process's lease. */
  submit(execution: ExecutionRow): void;
  /** Starts nothing new, waits up to `drainMs` for running work, then drops it. It ends at most 3 s later. */
  stop(drainMs: number): Promise<void>;
  /** Counts the executions that this process holds, by state. */
  counts(): SchedulerCounts;
  /** How many executions this process holds. */
  readonly activeCount: number;
}

/** The number of executions that a process holds, by state. */
export interface SchedulerCounts {
  readonly running: number;
  /** They wait for a decision, a time, or a slot of an endpoint, and hold no execution slot. */
  readonly waiting: number;
  /** They wait for an execution slot. */
  readonly pending: number;
  /** Since when the first pending one waits, in ms since the epoch; null: none is pending. */
  readonly oldestPendingAt: number | null;
  /** Executions that run at the same time before workspaces start beyond them for their share. */
  readonly slots: number;
  readonly workspaces: WorkspaceCounts;
}

/** A run of an execution, as its scheduler sees it. */
export interface ScheduledRun {
  /** Resolves when the execution has ended, was taken over or suspended, or when the run has drained. */
  readonly done: Promise<void>;
  /** It only waits for a decision, a time, or a slot of an endpoint, and needs no execution slot. */
  readonly isWaiting: boolean;
  /** It only waits for a slot of an endpoint. */
  readonly isQueued: boolean;
  /** Starts no further work; `done` resolves when running work has been recorded. */
  drain(): void;
  /** Drops running work. */
  abort(): void;
}

/**
 * Starts the run of an execution. `isRecovered`: another owner ran it before. `onActivity` is called whenever
 * `isWaiting` or `isQueued` may have changed.
 */
export type StartRun = (execution: ExecutionRow, isRecovered: boolean, onActivity: () => void) => ScheduledRun;
