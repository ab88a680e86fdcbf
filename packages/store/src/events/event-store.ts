import type { Attempt, ExecutionEvent, Page, PageQuery, RecordedMessage } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { NewApproval } from "../tables/approvals.ts";
import type { AuditRow } from "../tables/audit.ts";
import type { NewInputRequest } from "../tables/input-requests.ts";
import type { ChangeListener } from "./changes.ts";
import type { ExecutionFilter, ExecutionRow, ExecutionSummary, NewExecution, UsedKey } from "./execution-row.ts";
import type { StoredForm } from "./stored-form.ts";

/** A numbered event, with data that is only sent back to the model provider. */
export interface EventEntry {
  readonly event: ExecutionEvent;
  /** The assistant message of a `model.responded`, with the provider's metadata unchanged. The API never returns it. */
  readonly assistantMessage?: unknown;
}

/** Reads the event log of an execution. */
export interface EntryReader {
  /** Returns all entries after `afterSeq` (0: from the start), in order. */
  entries(executionId: string, afterSeq: number): Promise<readonly EventEntry[]>;
  /**
   * Returns about the first 256 KiB of these entries, and at least one append, so that a slow reader need not keep them
   * all in memory. `isLast`: there were no further entries at the time of the read.
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

/** The delay and size of a response that arrived after its attempt was given up. */
export type LateResponseRecord = NonNullable<Attempt["lateAnswer"]>;

/** Events of one execution that become durable together or not at all. */
export interface Append {
  readonly executionId: string;
  /** The `seq` of the last event before this append. */
  readonly expectedSeq: number;
  /** The owner's epoch; absent if a command (cancel, approve, deny, answer, fallback, late response) appends the events. */
  readonly epoch?: number;
  readonly entries: readonly EventEntry[];
  readonly summary: ExecutionSummary;
  /** The mode of the execution, for observers. It is not stored with the events. */
  readonly mode?: "recorded";
  readonly exchanges?: readonly AttemptExchange[];
  /** The entries as JSON, and their seal. If absent, the entries are stored without a seal. */
  readonly sealed?: { readonly entriesJson: string; readonly link: string };
  /** One row for each `approval.requested` in the entries. */
  readonly approvals?: readonly NewApproval[];
  /** One row for each `input.requested` with questions in the entries. */
  readonly inputRequests?: readonly NewInputRequest[];
  /** The audit log entry of this command. */
  readonly audit?: AuditRow | undefined;
}

/**
 * - `appended`: the events are durable.
 * - `behind`: the epoch is current, but `expectedSeq` is not, because a command has been appended since. Read and apply
 *   that command, then append again.
 * - `taken_over`: another epoch is current, so another process owns the execution. Stop without further writes.
 */
export type AppendOutcome = "appended" | "behind" | "taken_over";

/** The end of an append: its outcome, or the error with which the store rejected it. */
export type AppendEnd = AppendOutcome | { readonly error: unknown };

/** Receives the end of an append. Called once, possibly before `append` returns. It must not throw. */
export type AppendDone = (end: AppendEnd) => void;

/** The outcome of a release. `behind` and `taken_over` have the same meaning as for an append. */
export type ReleaseOutcome = "released" | Exclude<AppendOutcome, "appended">;

export type Unsubscribe = () => void;

/** Receives the durable entries of an append and the state of the execution after it. */
export type EventEntryListener = (entries: readonly EventEntry[], summary: ExecutionSummary) => void;

/**
 * The append-only event log of executions, and the tables that are derived from it.
 *
 * Every method resolves after its commit. If the store itself fails (disk full, file missing, connection lost), the
 * method rejects with `YagateError` `UNAVAILABLE`, and nothing was written. There is one exception: if the connection
 * to the database was lost during a commit and could not be restored, the message states that the outcome is unknown.
 * `append`, which runs several times per execution, calls back instead of returning a promise.
 */
export interface EventStore extends EntryReader {
  /**
   * Creates an execution, claimed by its owner in epoch 1, or finds the execution that was created with the same
   * idempotency key.
   * @throws YagateError `CONFLICT` if the key was used with a different body.
   * @throws QuotaExceededError if the workspace already has `maxPending` unfinished executions. The idempotency key
   *   stays unused.
   */
  create(execution: NewExecution): Promise<{ readonly execution: ExecutionRow; readonly isNew: boolean }>;
  /**
   * Finds the execution that was created with an idempotency key, unless the key has expired by `at`.
   * @throws YagateError `CONFLICT` if the key was used with a different body.
   */
  findKeyed(idempotency: UsedKey, at: EpochMs): Promise<ExecutionRow | undefined>;
  /** Returns the form in which the next append will be stored. It changes once at most, from 1 to 2. */
  storedForm(): StoredForm;
  /**
   * Appends events, and calls `done` after the commit. A command (an append without an epoch) also makes a suspended
   * execution due. Use `appendTo` to await the outcome.
   */
  append(append: Append, done: AppendDone): void;
  find(executionId: string, workspaceId: string): Promise<ExecutionRow | undefined>;
  /** Finds an execution in any workspace. Only for the gateway's internal work, never for an API request. */
  findAny(executionId: string): Promise<ExecutionRow | undefined>;
  /**
   * Returns the number of the last event of an execution in this workspace: 0 before the first event, undefined if
   * there is no such execution.
   */
  lastSeqOf(executionId: string, workspaceId: string): Promise<number | undefined>;
  list(workspaceId: string, page: PageQuery, filter?: ExecutionFilter): Promise<Page<ExecutionRow>>;
  /**
   * Finds the execution that the id of a tool call names, in this workspace. Look for the call in the events of the
   * execution: it may not be there, because an id contains its execution.
   */
  findToolCall(toolCallId: string, workspaceId: string): Promise<{ readonly executionId: string } | undefined>;
  /**
   * Finds the execution that the id of an attempt names, in this workspace, and the messages of the attempt. As with
   * {@link findToolCall}, the attempt itself may not exist; the messages are then null.
   */
  findAttempt(
    attemptId: string,
    workspaceId: string,
  ): Promise<
    | {
        readonly executionId: string;
        readonly request: RecordedMessage | null;
        readonly response: RecordedMessage | null;
      }
    | undefined
  >;
  /**
   * Adds a response that arrived after the end of its execution to the exchange of its attempt. Stores only the first
   * such response, and does nothing if the exchange no longer exists.
   */
  addLateResponse(attemptId: string, late: LateResponseRecord): Promise<void>;
  /** Returns the late responses to these attempts, by attempt id. */
  lateResponses(attemptIds: readonly string[]): Promise<ReadonlyMap<string, LateResponseRecord>>;
  /**
   * Claims up to `limit` unfinished executions whose lease has expired, and adds 1 to their epoch. Skips suspended
   * executions, the executions in `except` (which this owner is already running), and all executions of the owner
   * `exceptOwner` or of a workspace in `exceptWorkspaces`.
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
   * Suspends a waiting execution, which then has no owner and no lease. The former owner can no longer append to it.
   * `claimDue` can claim it at `wakeAt`, or as soon as a command has been appended to it.
   */
  release(release: {
    readonly executionId: string;
    /** The epoch of the owner. */
    readonly epoch: number;
    /**
     * The number of the last event that the owner has read. If a command has been appended since, nothing is released.
     */
    readonly expectedSeq: number;
    readonly wakeAt: EpochMs;
  }): Promise<ReleaseOutcome>;
  /**
   * Claims up to `limit` suspended executions that are due at `now`, and adds 1 to their epoch. Skips the executions of
   * workspaces in `exceptWorkspaces`.
   */
  claimDue(claim: {
    readonly owner: string;
    readonly now: EpochMs;
    readonly leaseUntil: EpochMs;
    readonly limit: number;
    readonly exceptWorkspaces?: readonly string[];
  }): Promise<readonly ExecutionRow[]>;
  /**
   * Calls the listener when a command makes a suspended execution due. Commands in other processes are reported on a
   * best-effort basis.
   */
  onDue(listener: () => void): Unsubscribe;
  /**
   * Calls the listener after each append of any execution. Appends of other processes are reported on a best-effort
   * basis.
   */
  onChange(listener: ChangeListener): Unsubscribe;
  /** Returns the id of an execution's workspace. Only for the gateway's internal work, never for an API request. */
  workspaceOf(executionId: string): Promise<string | undefined>;
  /** Extends the leases of all unfinished executions of this owner. */
  renew(renewal: { readonly owner: string; readonly leaseUntil: EpochMs }): Promise<void>;
  /** Calls the listener with entries of this execution after they have become durable. */
  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe;
  /**
   * Deletes expired exchanges and messages of redeliveries, idempotency keys and rate limit counts, and enabled endpoints that have not been used
   * for a long time: at most `limit` rows of each kind. Returns the number of deleted rows.
   */
  deleteExpired(now: EpochMs, limit: number): Promise<number>;
}

/** A successful or failed commit of a store: the number of writes in it, and its duration in ms. */
export interface StoreCommit {
  readonly size: number;
  readonly durationMs: number;
}

/** Appends events and resolves to the outcome after the commit. Rejects with the error of the store. */
export function appendTo(eventStore: Pick<EventStore, "append">, append: Append): Promise<AppendOutcome> {
  return new Promise((resolve, reject) => {
    eventStore.append(append, (end) => {
      if (typeof end === "string") resolve(end);
      else reject(end.error);
    });
  });
}
