import type { Attempt, ExecutionEvent, Page, PageQuery, RecordedMessage } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { NewApproval } from "../tables/approvals.ts";
import type { AuditRow } from "../tables/audit.ts";
import type { ExecutionFilter, ExecutionRow, ExecutionSummary, NewExecution } from "./execution-row.ts";

/** One numbered event, and what of it only a model provider may see again. */
export interface EventEntry {
  readonly event: ExecutionEvent;
  /** The assistant message of a `model.responded`, with the provider's metadata verbatim; never served. */
  readonly assistantMessage?: unknown;
}

/** Reads the log of an execution. */
export interface EntryReader {
  /** All entries after `afterSeq` (0: from the start), in order. */
  entries(executionId: string, afterSeq: number): Promise<readonly EventEntry[]>;
  /**
   * The first of them, for readers who take their time: some 256 KiB, and at least the entries of one append.
   * `isLast`: there were no others at that moment.
   */
  entryPage(
    executionId: string,
    afterSeq: number,
  ): Promise<{ readonly entries: readonly EventEntry[]; readonly isLast: boolean }>;
}

/** What was sent and what came back in one attempt. */
export interface AttemptExchange {
  readonly attemptId: string;
  readonly request: RecordedMessage | null;
  readonly response: RecordedMessage | null;
}

/** An answer that came after its attempt had been given up: how late, and how large. */
export type LateResponseRecord = NonNullable<Attempt["lateAnswer"]>;

/** Events of one execution that become durable together or not at all. */
export interface Append {
  readonly executionId: string;
  /** The `seq` that the first entry follows. */
  readonly expectedSeq: number;
  /** The owner's epoch; absent for commands (cancel, approve, deny, fallback, a late answer). */
  readonly epoch?: number;
  readonly entries: readonly EventEntry[];
  readonly summary: ExecutionSummary;
  readonly exchanges?: readonly AttemptExchange[];
  /** What is stored of the entries, and what seals it; without it they are stored unsealed. */
  readonly sealed?: { readonly entriesJson: string; readonly link: string };
  /** One for each `approval.requested` of the entries. */
  readonly approvals?: readonly NewApproval[];
  /** What the audit log keeps of the command that this is. */
  readonly audit?: AuditRow | undefined;
}

/**
 * - `appended`: durable.
 * - `behind`: another `lastSeq` under the same epoch, so a command came in: read it, fold it, append again.
 * - `taken_over`: another epoch: stop, and touch nothing.
 */
export type AppendOutcome = "appended" | "behind" | "taken_over";

/** As of an append. */
export type ReleaseOutcome = "released" | Exclude<AppendOutcome, "appended">;

export type Unsubscribe = () => void;

/** Hears what one append made durable, and how the execution stood after it. */
export type EventEntryListener = (entries: readonly EventEntry[], summary: ExecutionSummary) => void;

/**
 * The append-only event log of executions and its read tables.
 *
 * Every method resolves after the commit that holds its effect. All failures of the store itself (disk full, file
 * gone, connection lost) reject with `YagateError` `UNAVAILABLE`, and then nothing was written. The one exception is a
 * database that was lost during a commit and did not come back to be asked: the message says so.
 */
export interface EventStore extends EntryReader {
  /**
   * Makes an execution, claimed by its owner at epoch 1, or finds the one that the same idempotency key made.
   * @throws YagateError `CONFLICT` when the key came with another body.
   * @throws QuotaExceededError when `maxPending` executions are unfinished; the idempotency key stays unused.
   */
  create(execution: NewExecution): Promise<{ readonly execution: ExecutionRow; readonly isNew: boolean }>;
  /** A command (an append without an epoch) also makes an execution due that was laid down. */
  append(append: Append): Promise<AppendOutcome>;
  find(executionId: string, workspaceId: string): Promise<ExecutionRow | undefined>;
  /** Whoever's it is: for the gateway itself, never for a request. */
  findAny(executionId: string): Promise<ExecutionRow | undefined>;
  /** The number of an execution's last event, if it is this workspace's; 0 before the first one. */
  lastSeqOf(executionId: string, workspaceId: string): Promise<number | undefined>;
  list(workspaceId: string, page: PageQuery, filter?: ExecutionFilter): Promise<Page<ExecutionRow>>;
  /** The execution that a tool call belongs to, if it is this workspace's. */
  findToolCall(toolCallId: string, workspaceId: string): Promise<{ readonly executionId: string } | undefined>;
  /** An attempt's execution, tool call and exchange, if it is this workspace's. */
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
   * Adds to an attempt's exchange what came after its execution had ended. The first one counts; nothing happens where
   * there is no exchange, or none any more.
   */
  addLateResponse(attemptId: string, late: LateResponseRecord): Promise<void>;
  /** What was added to exchanges of these attempts, by their ids. */
  lateResponses(attemptIds: readonly string[]): Promise<ReadonlyMap<string, LateResponseRecord>>;
  /**
   * Takes up to `limit` unfinished executions whose lease has lapsed, adding 1 to their epoch; none that was laid down.
   * `except` names those that this owner is advancing right now, `exceptOwner` somebody whose are all left out, and
   * `exceptWorkspaces` the workspaces that have enough here.
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
   * Lays an execution down that only waits: it has no owner then, and no lease that could lapse. `claimDue` takes it up
   * again at its moment, or as soon as a command was appended to it. Its former owner can append nothing any more.
   */
  release(release: {
    readonly executionId: string;
    /** The owner's. */
    readonly epoch: number;
    /** Its last event as the owner knows it: a command that came in after it must not be slept through. */
    readonly expectedSeq: number;
    readonly wakeAt: EpochMs;
  }): Promise<ReleaseOutcome>;
  /**
   * Takes up to `limit` executions that were laid down and are due at `now`, adding 1 to their epoch; none of
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
   * Calls the listener when a command made an execution due that was laid down, in this process or, as far as it hears of
   * that, in another one.
   */
  onDue(listener: () => void): Unsubscribe;
  /** Extends the lease of every unfinished execution of this owner. */
  renew(renewal: { readonly owner: string; readonly leaseUntil: EpochMs }): Promise<void>;
  /** Calls the listener with entries of this execution right after they became durable. */
  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe;
  /**
   * Deletes exchanges and idempotency keys past their age, enabled endpoints that were not used for long, and counts of
   * calls that count no more; at most `limit` rows each. Returns how many went.
   */
  deleteExpired(now: EpochMs, limit: number): Promise<number>;
}

/** One commit of a store: how many writes shared it, and how long it took in ms, whatever came of it. */
export interface StoreCommit {
  readonly size: number;
  readonly durationMs: number;
}
