import type { StatementSync } from "node:sqlite";
import { YagateError } from "@yagate/protocol";
import type { SqlValue } from "../sql.ts";

/**
 * A prepared statement that binds only strings, numbers and null.
 *
 * `node:sqlite` treats an object as the first argument as named parameters, so a Date as the first value would shift
 * all columns by one without an error.
 */
export class SqliteStatement<Row = never> {
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  all(...values: readonly SqlValue[]): readonly Row[] {
    assertBindable(values);
    const rows: unknown = this.#statement.all(...values);
    return rows as readonly Row[];
  }

  get(...values: readonly SqlValue[]): Row | undefined {
    assertBindable(values);
    const row: unknown = this.#statement.get(...values);
    return row as Row | undefined;
  }

  /** Reads rows one at a time, so that they need not all be in memory. */
  *each(...values: readonly SqlValue[]): Generator<Row> {
    assertBindable(values);
    for (const row of this.#statement.iterate(...values)) yield row as Row;
  }

  /** Runs the statement. @returns the number of changed rows. */
  run(...values: readonly SqlValue[]): number {
    assertBindable(values);
    return Number(this.#statement.run(...values).changes);
  }
}

function assertBindable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== "string" && typeof value !== "number" && value !== null) {
      throw new YagateError("INTERNAL", `expected a string, a number or null to store, got ${typeof value}`);
    }
  }
}
