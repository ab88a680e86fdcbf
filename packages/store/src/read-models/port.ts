import type { ExecutionEvent, Page, PageQuery, ToolCallStatus } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";

/** An execution with events that the read models do not contain yet. */
export interface UnreadExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly createdAt: EpochMs;
  /** What the previous fold returned as `state`; null if this is the first one. */
  readonly state: string | null;
  /** The tokens and the cost of the execution up to now. */
  readonly totals: { readonly inputTokens: number; readonly outputTokens: number; readonly usd: number };
  /** The unread events, in order. */
  readonly events: readonly ExecutionEvent[];
}

/** A row of the read model of tool calls. */
export interface ToolCallEntry {
  readonly id: string;
  readonly tool: string;
  readonly status: ToolCallStatus;
  /** The code of the error; null if there is none. */
  readonly code: string | null;
  readonly requestedAt: EpochMs;
  readonly finishedAt: EpochMs | null;
}

/** An amount that is added to one bucket of a series, in one step of time. */
export interface MetricPoint {
  readonly metric: string;
  /** What the series is about, such as the name of a tool. */
  readonly label: string;
  /** The length of the step in seconds. */
  readonly step: number;
  /** The start of the step; ms since the epoch. */
  readonly at: EpochMs;
  /** The bucket of a distribution; 0 for a count. */
  readonly bucket: number;
  readonly value: number;
}

/** What the read models store of an execution's unread events. */
export interface FoldedExecution {
  /** JSON, for the next fold of the same execution; null if it has ended. */
  readonly state: string | null;
  /** The names of the tools that the events call. */
  readonly tools: readonly string[];
  readonly calls: readonly ToolCallEntry[];
  readonly points: readonly MetricPoint[];
}

/** Derives rows from events. It must be pure, because it may run again after a conflict. */
export type FoldExecution = (unread: UnreadExecution) => FoldedExecution;

/** An execution whose events could not be read. The read models skip these events. */
export interface FoldFailure {
  readonly executionId: string;
  readonly error: unknown;
}

/** The result of a step of the follower. */
export interface ReadModelStep {
  /** Whether nothing was left to read when the step started. */
  readonly isOver: boolean;
  readonly failures: readonly FoldFailure[];
}

/** Selects points of one workspace. */
export interface MetricRange {
  readonly step: number;
  /** The first step; ms since the epoch. */
  readonly from: EpochMs;
  /** The end of the range, which is not part of it; ms since the epoch. */
  readonly until: EpochMs;
}

/** Conditions for a list of tool calls. All given conditions must match. */
export interface ToolCallFilter {
  readonly status?: ToolCallStatus | undefined;
  readonly tool?: string | undefined;
  /** The code of the error. */
  readonly code?: string | undefined;
}

/**
 * Tables that are derived from the event log after its commits: which executions called a tool, tool calls, and
 * metrics. One follower per store keeps them up to date. A step reads events and writes the rows in one commit, so
 * each event counts once, even after a crash.
 */
export interface ReadModelStore {
  /**
   * Claims the work of the follower for this replica until a given time, or extends the claim. Returns false while
   * another replica has the claim. Always returns true for a store that only one process uses.
   */
  claim(claim: { readonly owner: string; readonly now: EpochMs; readonly until: EpochMs }): Promise<boolean>;
  /** Adds the events of about `limit` executions that have changed. */
  advance(fold: FoldExecution, limit: number): Promise<ReadModelStep>;
  /** Adds the events of executions that are older than the read models; at most `limit` executions, newest first. */
  backfill(fold: FoldExecution, limit: number): Promise<ReadModelStep>;
  /** Returns whether executions that are older than the read models are still missing in them. */
  isBackfilling(): Promise<boolean>;
  /** Returns the points of metrics, ordered by metric and time. */
  points(workspaceId: string, range: MetricRange, metrics: readonly string[]): Promise<readonly MetricPoint[]>;
  /** Deletes up to `limit` points of a step length that are older than `before`. Returns the number of deleted rows. */
  deletePoints(step: number, before: EpochMs, limit: number): Promise<number>;
  /** Returns the calls that match the filter, newest first. */
  toolCalls(
    workspaceId: string,
    page: PageQuery,
    filter?: ToolCallFilter,
  ): Promise<Page<ToolCallEntry & { readonly executionId: string }>>;
}
