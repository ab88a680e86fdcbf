import { YagateError } from "@yagate/protocol";
import type { StoreCommit } from "../events/event-store.ts";
import type { SqliteConnection } from "./connection.ts";
import type { SqliteStatement } from "./statement.ts";
import { storageFailureOf, toStoreError } from "./store-error.ts";

/**
 * Maximum number of operations per commit; the others wait for the next one. A commit must not block the event loop for
 * long.
 */
const MAX_OPERATIONS_PER_COMMIT = 512;

/** Duration from which a commit counts as slow. Only after a slow commit does the next one wait while none arrive. */
const SLOW_COMMIT_MS = 2;
/**
 * Maximum time in ms for which the oldest operation waits for more of them, however slow the disk is and however long
 * the iterations of the event loop take. Leases are renewed through the same queue.
 */
const MAX_GATHERING_MS = 20;

interface GroupCommitOptions {
  readonly beforeCommit?: (() => void) | undefined;
  readonly onCommit?: ((commit: StoreCommit) => void) | undefined;
}

/** The outcome of an operation: what it returned, or why it was not committed. */
export type WriteOutcome<Result> = { readonly result: Result } | { readonly error: YagateError };

/** An operation that waits for its commit. */
interface Waiting {
  /** Runs the statements. @throws if the operation fails. */
  readonly perform: () => void;
  /** Called after the commit, or with the error of the operation. */
  readonly done: (error: YagateError | undefined) => void;
}

/**
 * Makes all writes to the file. Operations that arrive in one iteration of the event loop share one transaction and
 * therefore one fsync. Each is acknowledged after its commit.
 *
 * A commit blocks the event loop until it is on the disk, and each one writes the last page of every index again, so a
 * few large groups achieve more than many small ones. While each iteration of the event loop brings more operations, a
 * commit therefore waits until there are as many as in the last one. After a slow commit, the next one also waits while
 * none arrive, but no longer than the last one took. No operation waits longer than 20 ms for others, and a single
 * writer never waits.
 *
 * A group first runs without savepoints. If an operation throws, the group is rolled back and runs again with a
 * savepoint around each operation, so that only that operation fails. Failures are rare, and a savepoint costs a tenth
 * of an append. An operation may therefore run twice, and must have no effect except through its statements.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #begin: SqliteStatement;
  readonly #commit: SqliteStatement;
  readonly #onCommit: ((commit: StoreCommit) => void) | undefined;
  readonly #beforeCommit: () => void;
  #waiting: Waiting[] = [];
  /** When the oldest waiting operation arrived, on the clock of `performance.now()`. */
  #waitingSince = 0;
  #isScheduled = false;
  #gatheringTimer: NodeJS.Timeout | undefined;
  #lastGroupSize = 0;
  #lastCommitMs = 0;
  #isClosed = false;

  /**
   * @param options.beforeCommit - runs at the end of a group, while its transaction is still open.
   * @param options.onCommit - called after each group.
   */
  constructor(connection: SqliteConnection, { beforeCommit = () => undefined, onCommit }: GroupCommitOptions = {}) {
    this.#connection = connection;
    this.#beforeCommit = beforeCommit;
    this.#begin = connection.prepare("BEGIN IMMEDIATE");
    this.#commit = connection.prepare("COMMIT");
    this.#onCommit = onCommit;
  }

  /**
   * Runs an operation in the next commit.
   *
   * @throws YagateError the error of the operation; `UNAVAILABLE` if the group could not be committed.
   */
  write<Result>(operation: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.writeThen(operation, (outcome) => {
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.result);
      });
    });
  }

  /** Runs an operation in the next commit and calls `done` after it. `done` must not throw. */
  writeThen<Result>(operation: () => Result, done: (outcome: WriteOutcome<Result>) => void): void {
    if (this.#isClosed) return done({ error: new YagateError("UNAVAILABLE", "the store is closed") });
    let result: Result;
    const perform = () => {
      result = operation();
    };
    if (this.#waiting.length === 0) this.#waitingSince = performance.now();
    this.#waiting.push({ perform, done: (error) => done(error === undefined ? { result } : { error }) });
    this.#schedule();
  }

  /** Commits waiting operations and rejects new ones. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#gatheringTimer);
    while (this.#waiting.length > 0) this.#flush();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    if (!this.#shouldGather()) this.#scheduleFlush();
    else
      this.#gatheringTimer ??= setTimeout(() => this.#scheduleFlush(), Math.min(this.#lastCommitMs, MAX_GATHERING_MS));
  }

  #shouldGather(): boolean {
    return this.#lastCommitMs >= SLOW_COMMIT_MS && this.#waiting.length < this.#lastGroupSize;
  }

  #scheduleFlush(): void {
    clearTimeout(this.#gatheringTimer);
    this.#gatheringTimer = undefined;
    this.#isScheduled = true;
    this.#flushAfterIteration(0);
  }

  /** @param before - how many operations were waiting one iteration of the event loop earlier. */
  #flushAfterIteration(before: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      const isGathering = length > before && length < this.#lastGroupSize;
      if (isGathering && performance.now() - this.#waitingSince < MAX_GATHERING_MS) {
        return this.#flushAfterIteration(length);
      }
      this.#isScheduled = false;
      try {
        this.#flush();
      } finally {
        if (this.#waiting.length > 0) this.#schedule();
      }
    });
  }

  #flush(): void {
    const group = this.#waiting.splice(0, MAX_OPERATIONS_PER_COMMIT);
    if (group.length === 0) return;
    this.#lastGroupSize = group.length;
    const startedAt = performance.now();
    const errorOf = this.#commitGroup(group);
    const endedAt = performance.now();
    this.#waitingSince = endedAt;
    const failures: unknown[] = [];
    const call = (listener: () => void) => {
      try {
        listener();
      } catch (error) {
        failures.push(error);
      }
    };
    call(() => this.#onCommit?.({ size: group.length, durationMs: endedAt - startedAt }));
    // The operations are committed: an error of one caller must not hide that from the others.
    for (const waiting of group) call(() => waiting.done(errorOf(waiting)));
    if (failures.length > 0) throw failures[0];
  }

  /** Returns the error of each operation that was not committed. */
  #commitGroup(group: readonly Waiting[]): (waiting: Waiting) => YagateError | undefined {
    try {
      this.#inTransaction(() => {
        for (const { perform } of group) perform();
      });
      return () => undefined;
    } catch (error) {
      if (group.length === 1 || storageFailureOf(error) !== undefined) return ofAll(error);
    }
    try {
      const errors = new Map<Waiting, YagateError>();
      this.#inTransaction(() => {
        for (const waiting of group) this.#isolate(waiting, errors);
      });
      return (waiting) => errors.get(waiting);
    } catch (error) {
      return ofAll(error);
    }
  }

  #inTransaction(run: () => void): void {
    try {
      this.#begin.run();
      run();
      const before = performance.now();
      this.#beforeCommit();
      this.#commit.run();
      this.#lastCommitMs = performance.now() - before;
    } catch (error) {
      // After some disk failures, SQLite has already rolled the transaction back.
      if (this.#connection.isInTransaction) this.#connection.execute("ROLLBACK");
      throw error;
    }
  }

  #isolate(waiting: Waiting, errors: Map<Waiting, YagateError>): void {
    this.#connection.execute("SAVEPOINT operation");
    try {
      waiting.perform();
      this.#connection.execute("RELEASE operation");
    } catch (error) {
      if (storageFailureOf(error) !== undefined) throw error;
      this.#connection.execute("ROLLBACK TO operation; RELEASE operation");
      errors.set(waiting, toStoreError(error));
    }
  }
}

function ofAll(error: unknown): () => YagateError {
  const failure = toStoreError(error);
  return () => failure;
}
