import { backup, DatabaseSync } from "node:sqlite";
import { YagateError } from "@yagate/protocol";
import type { SqlStatement } from "../sql.ts";
import type { UnitOfWork } from "../unit-of-work.ts";
import { SqliteStatement } from "./statement.ts";
import { toStoreError } from "./store-error.ts";

/** How long a statement waits for the file's lock while another program holds it. The wait blocks the event loop. */
const BUSY_TIMEOUT_MS = 500;

/**
 * Size above which the write-ahead log is truncated, so that a burst of writes does not occupy disk space permanently.
 */
const MAX_IDLE_WAL_BYTES = 67_108_864;

/**
 * Size of a page of a new file, in bytes; an existing file keeps its own. A commit writes every page that it changes to
 * the log, so small pages write less: 2 KiB write half as much as 4 KiB, and 1 KiB make records of many pages slower.
 */
const PAGE_BYTES = 2_048;

/** Size of the write-ahead log at which a commit copies it into the file. */
const CHECKPOINT_BYTES = 4_194_304;

/** More pages than a file can have. */
const ALL_PAGES = 2_147_483_647;

/** Options for {@link SqliteConnection}. */
export interface SqliteConnectionOptions {
  /** Maximum size of the file, in bytes; used by tests of a full disk. */
  readonly maxBytes?: number;
}

/** The only connection to the database file. All of its operations are synchronous. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new WeakMap<TemplateStringsArray, SqliteStatement<unknown>>();

  /** Opens the file without changing it. Check that it is a store, then call {@link configure}. */
  constructor(path: string | URL, { isReadOnly = false }: { readonly isReadOnly?: boolean } = {}) {
    this.#database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: isReadOnly });
  }

  /**
   * Copies all committed data into an empty file, without blocking the event loop. The copy is made in one step: SQLite
   * would restart it after each write between two steps, so the copy of a busy store would never finish.
   */
  async copyTo(path: string): Promise<void> {
    await backup(this.#database, path, { rate: ALL_PAGES });
  }

  configure(options: SqliteConnectionOptions): void {
    // Has no effect on a file that has a page already.
    this.#database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    this.#database.exec("PRAGMA journal_mode = WAL");
    this.#database.exec("PRAGMA synchronous = FULL");
    this.#database.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_WAL_BYTES}`);
    const pageBytes = this.#pageBytes();
    this.#database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_BYTES / pageBytes}`);
    if (options.maxBytes === undefined) return;
    this.#database.exec(`PRAGMA max_page_count = ${Math.floor(options.maxBytes / pageBytes)}`);
  }

  get isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  /** Runs SQL that contains no external values. */
  execute(text: string): void {
    this.#database.exec(text);
  }

  /** Prepares a statement that runs often. */
  prepare<Row = never>(text: string): SqliteStatement<Row> {
    return new SqliteStatement<Row>(this.#database.prepare(text));
  }

  /** Runs a unit of work in the current transaction. */
  perform<Result>(unit: UnitOfWork<Result>): Result {
    let step = unit.next();
    while (!step.done) step = unit.next(this.#rowsOf(step.value));
    return step.value;
  }

  /** Reads committed data: no transaction is open when `work` runs. */
  async read<Result>(work: () => Result): Promise<Result> {
    if (!this.#database.isOpen) throw new YagateError("UNAVAILABLE", "the store is closed");
    try {
      return work();
    } catch (error) {
      throw toStoreError(error);
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #pageBytes(): number {
    return this.prepare<{ page_size: number }>("PRAGMA page_size").get()?.page_size ?? PAGE_BYTES;
  }

  #rowsOf(statement: SqlStatement<unknown>): readonly unknown[] {
    let prepared = this.#statements.get(statement.parts);
    if (prepared === undefined) {
      prepared = this.prepare<unknown>(statement.parts.join("?"));
      this.#statements.set(statement.parts, prepared);
    }
    return prepared.all(...statement.values);
  }
}
