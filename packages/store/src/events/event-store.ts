import type { Attempt, ExecutionEvent, Page, PageQuery, RecordedMessage } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { NewApproval } from "../tables/approvals.ts";
import type { AuditRow } from "../tables/audit.ts";
import type { ExecutionFilter, ExecutionRow, ExecutionSummary, NewExecution } from "./execution-row.ts";

/** A numbered event, and data that only its model provider sees again. */
export interface EventEntry {
  readonly event: ExecutionEvent;
  /** The assistant message of a `model.responded`, with the provider's metadata verbatim; never served. */
  readonly assistantMessage?: unknown;
}

/** Reads the event log of an execution. */
export interface EntryReader {
  /** All entries after `afterSeq` (0: from the start), in order. */
  entries(executionId: string, afterSeq: number): Promise<readonly EventEntry[]>;
  /**
   * The first of these entries, about 256 KiB and at least one append, for slow readers.
   * `isLast`: there were no further entries at that moment.
   */
  entryPage(
    executionId: string,
    afterSeq: number,
  ): Promise<{ readonly entries: readonly EventEntry[]; readonly isLast: boolean }>;
}

/** The request and the response of an attempt. */
export interface AttemptExchange {
  readonly attemptId: string;
  readonly request: RecordedMessage | null;
  readonly response: RecordedMessage | null;
}

/** A response that arrived after its attempt was abandoned: how late, and how large. */
export type LateResponseRecord = NonNullable<Attempt["lateAnswer"]>;

/** Events of one execution that become durable together or not at all. */
export interface Append {
  readonly executionId: string;
  /** The `seq` that the first entry follows. */
  readonly expectedSeq: number;
  /** The owner's epoch; absent for commands (cancel, approve, deny, fallback, late response). */
  readonly epoch?: number;
  readonly entries: readonly EventEntry[];
  readonly summary: ExecutionSummary;
  readonly exchanges?: readonly AttemptExchange[];
  /** The stored text of the entries and its seal; absent: stored without a seal. */
  readonly sealed?: { readonly entriesJson: string; readonly link: string };
  /** One per `approval.requested` in the entries. */
  readonly approvals?: readonly NewApproval[];
  /** The audit log entry of this command. */
  readonly audit?: AuditRow | undefined;
}

/**
 * - `appended`: durable.
 * - `behind`: another `lastSeq` in the same epoch, because a command was appended: read it, apply it, append again.
 * - `taken_over`: another epoch: stop without further writes.
 */
export type AppendOutcome = "appended" | "behind" | "taken_over";

/** As for an append. */
export type ReleaseOutcome = "released" | Exclude<AppendOutcome, "appended">;

export type Unsubscribe = () => void;

/** Receives the durable entries of an append, and the state of the execution after it. */
export type EventEntryListener = (entries: readonly EventEntry[], summary: ExecutionSummary) => void;

/**
 * The append-only event log of executions and its read tables.
 *
 * Every method resolves after its commit. Failures of the store itself (disk full, file gone, connection lost) reject with
 * `YagateError` `UNAVAILABLE`, and nothing was written. The only exception is a database that was lost during a commit and
 * did not come back: the message says that the outcome is unknown.
 */
export interface EventStore extends EntryReader {
  /**
   * Creates an execution, claimed by its owner in epoch 1, or finds the execution of the same idempotency key.
   * @throws YagateError `CONFLICT` if the key was used with another body.
   * @throws QuotaExceededError if `maxPending` executions are unfinished; the idempotency key stays unused.
   */
  create(execution: NewExecution): Promise<{ readonly execution: ExecutionRow; readonly isNew: boolean }>;
  /** A command (an append without an epoch) also makes a suspended execution due. */
  append(append: Append): Promise<AppendOutcome>;
  find(executionId: string, workspaceId: string): Promise<ExecutionRow | undefined>;
  /** Finds it in any workspace: for the gateway itself, never for a request. */
  findAny(executionId: string): Promise<ExecutionRow | undefined>;
  /** The number of the last event of an execution of this workspace; 0 before the first event. */
  lastSeqOf(executionId: string, workspaceId: string): Promise<number | undefined>;
  list(workspaceId: string, page: PageQuery, filter?: ExecutionFilter): Promise<Page<ExecutionRow>>;
  /** The execution of a tool call of this workspace. */
  findToolCall(toolCallId: string, workspaceId: string): Promise<{ readonly executionId: string } | undefined>;
  /** The execution, tool call and exchange of an attempt of this workspace. */
  findAttempt(
    attemptId: string,
    workspaceId: string,
  ): Promise<
    | {
        readonly executionId: string;
        readonly toolCallId: string;
        readonly request: RecordedMessage | null;
        readonly response: RecordedMessage | null;
      }
    | undefined
  >;
  /**
   * Adds a response that arrived after the end of its execution to the exchange of its attempt. Only the first one is stored,
   * and none if there is no exchange.
   */
  addLateResponse(attemptId: string, late: LateResponseRecord): Promise<void>;
  /** The late responses of these attempts, by attempt id. */
  lateResponses(attemptIds: readonly string[]): Promise<ReadonlyMap<string, LateResponseRecord>>;
  /**
   * Claims up to `limit` unfinished executions whose lease has lapsed, and adds 1 to their epoch. Skips suspended executions,
   * those in `except` (which this owner is advancing), all of `exceptOwner`, and those of `exceptWorkspaces`.
   */
  claim(claim: {
    readonly owner: string;
    readonly now: EpochMs;
    readonly leaseUntil: EpochMs;
    readonly limit: number;
    readonly except: ReadonlySet<string>;
    readonly exceptOwner?: string;
    readonly exceptWorkspaces?: readonly string[];
  }): Promise<readonly ExecutionRow[]>;
  /**
   * Suspends a waiting execution: it has no owner and no lease until `claimDue` claims it, at `wakeAt` or after a command was
   * appended to it. Its former owner can no longer append.
   */
  release(release: {
    readonly executionId: string;
    /** The epoch of the owner. */
    readonly epoch: number;
    /** The last event that the owner knows, so that a later command is not missed. */
    readonly expectedSeq: number;
    readonly wakeAt: EpochMs;
  }): Promise<ReleaseOutcome>;
  /**
   * Claims up to `limit` suspended executions that are due at `now`, and adds 1 to their epoch; skips those of
   * `exceptWorkspaces`.
   */
  claimDue(claim: {
    readonly owner: string;
    readonly now: EpochMs;
    readonly leaseUntil: EpochMs;
    readonly limit: number;
    readonly exceptWorkspaces?: readonly string[];
  }): Promise<readonly ExecutionRow[]>;
  /**
   * Calls the listener when a command makes a suspended execution due, in this process or (best effort) in another one.
   */
  onDue(listener: () => void): Unsubscribe;
  /** Extends the lease of every unfinished execution of this owner. */
  renew(renewal: { readonly owner: string; readonly leaseUntil: EpochMs }): Promise<void>;
  /** Calls the listener with entries of this execution once they are durable. */
  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe;
  /**
   * Deletes expired exchanges, idempotency keys and rate limit counts, and enabled endpoints that have not been used for
   * a long time; at most `limit` rows of each kind. Returns the number of deleted rows.
   */
  deleteExpired(now: EpochMs, limit: number): Promise<number>;
}

/** A commit of a store, successful or not: the number of writes in it, and its duration in ms. */
export interface StoreCommit {
  readonly size: number;
  readonly durationMs: number;
}
