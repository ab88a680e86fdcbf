import type { ExecutionRow } from "@yagate/store/port";
import type { WorkspaceCounts } from "./execution-slots.ts";

/** Decides which executions this process runs, and when. */
export interface Scheduler {
  /** Continues the executions that an earlier process did not finish, and then watches for lapsed leases. */
  start(): Promise<void>;
  /** Runs an execution that this process has just created under its lease. */
  submit(execution: ExecutionRow): void;
  /**
   * Stops starting executions, waits up to `drainMs` for running work, and then drops the rest. Resolves at most 3 s
   * after that.
   */
  stop(drainMs: number): Promise<void>;
  /** Returns the numbers of executions that this process has in memory, by state. */
  counts(): SchedulerCounts;
  /** Number of executions that this process has in memory. */
  readonly activeCount: number;
}

/** Numbers of executions that a process has in memory, by state. */
export interface SchedulerCounts {
  readonly running: number;
  /** Executions that are waiting for a decision, a time or a slot of an endpoint, and that occupy no execution slot. */
  readonly waiting: number;
  /** Executions that are waiting for an execution slot. */
  readonly pending: number;
  /** Start of the longest wait among the pending executions, in ms since the epoch; null if none is pending. */
  readonly oldestPendingAt: number | null;
  /** Number of execution slots. Workspaces below their share may start executions beyond it. */
  readonly slots: number;
  readonly workspaces: WorkspaceCounts;
}

/** A run of an execution, as the scheduler sees it. */
export interface ScheduledRun {
  /** Resolves when the execution has ended, was taken over or suspended, or when the run has drained. */
  readonly done: Promise<void>;
  /** Whether the run is only waiting for a decision, a time or a slot of an endpoint, and needs no execution slot. */
  readonly isWaiting: boolean;
  /** Whether the run is only waiting for a slot of an endpoint. */
  readonly isQueued: boolean;
  /** Stops the run from starting new work. `done` resolves when running work has been recorded. */
  drain(): void;
  /** Drops running work. */
  abort(): void;
}

/**
 * Starts the run of an execution. `isRecovered` is true if another owner ran it before. `onActivity` is called whenever
 * `isWaiting` or `isQueued` may have changed.
 */
export type StartRun = (execution: ExecutionRow, isRecovered: boolean, onActivity: () => void) => ScheduledRun;
