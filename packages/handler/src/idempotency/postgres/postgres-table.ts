import { refusalOf, sightOf, toEntryRow } from "../shared/entry-row.ts";
import type { Ending, EntryTable, NewClaim, Sight } from "../shared/entry-table.ts";
import type { Claim } from "../store.ts";
import { isTransient } from "./is-transient.ts";
import type { PostgresPool } from "./pool.ts";
import { postgresStatements } from "./statements.ts";

/**
 * The number of the advisory lock under which the table is created: `IF NOT EXISTS` alone is not safe if several
 * processes create it at the same time.
 */
const CREATION_LOCK = 4_820_101;

/**
 * The entries in a PostgreSQL table. Each operation is a single statement, so it needs neither a transaction nor a
 * dedicated connection.
 */
export class PostgresEntryTable implements EntryTable {
  readonly isTransient = isTransient;
  readonly #pool: PostgresPool;
  readonly #table: string;
  readonly #tenant: string;
  readonly #sql: ReturnType<typeof postgresStatements>;

  /** @param table - the name of the table; it is qualified with `schema` if that is set. */
  constructor(pool: PostgresPool, schema: string | undefined, table: string, tenant: string) {
    this.#pool = pool;
    this.#table = schema === undefined ? `"${table}"` : `"${schema}"."${table}"`;
    this.#tenant = tenant;
    this.#sql = postgresStatements(this.#table, `"${table}_expiry"`);
  }

  async create(): Promise<void> {
    // A role that may not create tables can still use an existing one.
    const [row] = await this.#query("SELECT to_regclass($1) IS NOT NULL AS is_there", [this.#table]);
    if (toEntryRow(row)["is_there"] === true) return;
    // Statements that are sent together form one transaction, which holds the lock until the transaction ends.
    await this.#pool.query(`SELECT pg_advisory_xact_lock(${CREATION_LOCK}); ${this.#sql.create}`);
  }

  async claim({ key, fingerprint, holder, lapsesAfterMs, keepForMs }: NewClaim): Promise<Claim | undefined> {
    const values = [this.#tenant, key, fingerprint, holder, lapsesAfterMs, keepForMs];
    const [first] = await this.#query(this.#sql.claim, values);
    const row = toEntryRow(first);
    return row["is_claimed"] === true ? { state: "claimed", holder } : refusalOf(row, fingerprint);
  }

  async end({ key, holder, outcome, isFinal }: Ending): Promise<boolean> {
    const { status = null, attempt = null, body = null } = outcome ?? {};
    const state = isFinal ? "finished" : "released";
    const rows = await this.#query(this.#sql.end, [this.#tenant, key, holder, state, status, attempt, body]);
    return rows.length > 0;
  }

  async look(key: string): Promise<Sight> {
    const [row] = await this.#query(this.#sql.look, [this.#tenant, key]);
    return row === undefined ? { state: "ended", outcome: undefined } : sightOf(toEntryRow(row));
  }

  async removeExpired(maxEntries: number): Promise<number> {
    return (await this.#query(this.#sql.removeExpired, [maxEntries])).length;
  }

  async #query(statement: string, values: unknown[]): Promise<readonly unknown[]> {
    return (await this.#pool.query(statement, values)).rows;
  }
}
