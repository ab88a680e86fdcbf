import { refusalOf, sightOf, toEntryRow } from "../shared/entry-row.ts";
import type { Ending, EntryTable, NewClaim, Sight } from "../shared/entry-table.ts";
import type { Claim } from "../store.ts";
import type { SqliteDatabase, SqliteStatement } from "./database.ts";
import { isBusy, SqliteInTransaction } from "./is-busy.ts";
import { sqliteStatements } from "./statements.ts";

/** The entries in a SQLite file, which the processes on one machine may share. */
export class SqliteEntryTable implements EntryTable {
  readonly isTransient = isBusy;
  readonly #database: SqliteDatabase;
  readonly #tenant: string;
  readonly #sql: ReturnType<typeof sqliteStatements>;
  readonly #prepared = new Map<string, SqliteStatement>();

  constructor(database: SqliteDatabase, table: string, tenant: string) {
    this.#database = database;
    this.#tenant = tenant;
    this.#sql = sqliteStatements(table);
  }

  async create(): Promise<void> {
    this.#assertNoTransaction();
    this.#database.exec(this.#sql.create);
  }

  async claim({ key, fingerprint, holder, lapsesAfterMs, keepForMs }: NewClaim): Promise<Claim | undefined> {
    const times = [lapsesAfterMs, keepForMs, lapsesAfterMs + keepForMs];
    const { changes } = this.#prepare("claim").run(this.#tenant, key, fingerprint, holder, ...times);
    if (Number(changes) > 0) return { state: "claimed", holder };
    const row = this.#prepare("refusal").get(fingerprint, holder, this.#tenant, key);
    return isMissing(row) ? undefined : refusalOf(toEntryRow(row), fingerprint);
  }

  async end({ key, holder, outcome, isFinal }: Ending): Promise<boolean> {
    const { status = null, attempt = null, body = null } = outcome ?? {};
    const end = this.#prepare("end");
    const { changes } = end.run(isFinal ? "finished" : "released", status, attempt, body, this.#tenant, key, holder);
    return Number(changes) > 0;
  }

  async look(key: string): Promise<Sight> {
    const row = this.#prepare("look").get(this.#tenant, key);
    return isMissing(row) ? { state: "ended", outcome: undefined } : sightOf(toEntryRow(row));
  }

  async removeExpired(maxEntries: number): Promise<number> {
    return Number(this.#prepare("removeExpired").run(maxEntries).changes);
  }

  #prepare(name: Exclude<keyof ReturnType<typeof sqliteStatements>, "create">): SqliteStatement {
    this.#assertNoTransaction();
    const prepared = this.#prepared.get(name) ?? this.#database.prepare(this.#sql[name]);
    this.#prepared.set(name, prepared);
    return prepared;
  }

  /**
   * Rejects an open transaction. A claim inside it would be lost on rollback, and invisible to other connections until
   * the commit.
   */
  #assertNoTransaction(): void {
    const { isTransaction = false, inTransaction = false } = this.#database;
    if (isTransaction || inTransaction) throw new SqliteInTransaction();
  }
}

/** Checks whether a query returned no row, which drivers report in two ways. */
function isMissing(row: unknown): row is null | undefined {
  return row === null || row === undefined;
}
