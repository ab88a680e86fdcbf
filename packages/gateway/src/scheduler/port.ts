import type { ExecutionRow } from "../journal/port.ts";

/** Decides which execution is advanced where and when. */
export interface Scheduler {
  /** Takes up whatever an earlier process left unfinished, then watches for lapsed leases. */
  start(): Promise<void>;
  /** Advances an execution that was just made under this process's lease. */
  submit(execution: ExecutionRow): void;
  /** Takes nothing new, waits for what is on its way up to `drainMs`, then stops. */
  stop(drainMs: number): Promise<void>;
  /** How many executions this process holds. */
  readonly activeCount: number;
}

/** One execution as its scheduler sees it. */
export interface ScheduledRun {
  /** Resolves when it has ended, was taken over or laid down, or has stopped after `suspend`. */
  readonly done: Promise<void>;
  /** It only waits for somebody or some moment, and needs no place among the running. */
  readonly isWaiting: boolean;
  /** Starts nothing more; resolves `done` when what is on its way has been recorded. */
  suspend(): void;
  /** Drops what is on its way. */
  abort(): void;
}

/** Starts to advance an execution. `isRecovered`: another owner was here before. */
export type StartRun = (execution: ExecutionRow, isRecovered: boolean, onWaitingChange: () => void) => ScheduledRun;
