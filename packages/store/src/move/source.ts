import { createHash, hash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { YagateError } from "@yagate/protocol";
import { SqliteConnection } from "../sqlite/connection.ts";
import { JOURNAL_FILE, takeDataDirectory } from "../sqlite/data-directory.ts";
import { assertOwnDatabase, migrate } from "../sqlite/migrations/migrate.ts";
import { toStoreError } from "../sqlite/store-error.ts";
import type { UnitRunner } from "../unit-of-work.ts";
import type { Column, MovedTable } from "./tables.ts";

/** A row, by the names of the target's columns. */
export type Row = Readonly<Record<string, string | number | null>>;
/** The values of a row's primary key. */
export type Key = readonly (string | number | null)[];

/** A batch ends with the row that reaches one of these. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 4_194_304;

/** A SQLite store that this process has locked and does not change. */
export interface Source {
  /** Identifies the store: the hash of a value that its first gateway encrypted. */
  readonly id: string;
  /** The hash of the file: it is the same as long as no gateway has used the store. */
  readonly state: string;
  readonly columns: readonly Column[];
  readonly units: UnitRunner;
  count(table: MovedTable): number;
  /** Returns rows in the order of their keys, from the first one after a key; none at the end. */
  batch(table: MovedTable, after: Key | undefined): readonly Row[];
  /** Returns metadata of executions after a position, in the order of the rows; undefined at the end. */
  metadata(after: Key | undefined): { readonly pairs: readonly MetadataRow[]; readonly last: Key } | undefined;
  /** Returns all executions, in the order of their ids. */
  executions(): Generator<{ readonly id: string; readonly workspaceId: string }>;
  /** Counts the executions that have not ended. */
  unfinished(): number;
  close(): void;
}

/** A pair that executions are found by. */
export interface MetadataRow {
  readonly workspace_id: string;
  readonly pair: string;
  readonly execution_id: string;
}

/**
 * Locks a data directory and brings its store to the schema of this version, as a gateway would.
 *
 * @throws YagateError `UNAVAILABLE` if there is no store, or if another process uses it.
 */
export async function openSource(dataDir: string): Promise<Source> {
  const path = join(dataDir, JOURNAL_FILE);
  if (!existsSync(path)) throw new YagateError("UNAVAILABLE", `expected a store at ${path}: the file does not exist`);
  const directory = takeDataDirectory(dataDir);
  try {
    writeLogBack(directory.databasePath);
    const state = await hashOf(directory.databasePath);
    const connection = new SqliteConnection(directory.databasePath, { isReadOnly: true });
    return sourceOn(connection, state, () => directory.release());
  } catch (error) {
    directory.release();
    throw toStoreError(error);
  }
}

/** Migrates the file, and writes the log of a gateway that was killed into it: the file alone is then the store. */
function writeLogBack(path: string): void {
  const connection = new SqliteConnection(path);
  try {
    assertOwnDatabase(connection, path);
    connection.configure({});
    migrate(connection);
    connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  } finally {
    connection.close();
  }
}

async function hashOf(path: string): Promise<string> {
  const sum = createHash("sha256");
  for await (const part of createReadStream(path)) sum.update(part);
  return sum.digest("hex");
}

function sourceOn(connection: SqliteConnection, state: string, release: () => void): Source {
  const columns = connection
    .prepare<Column>(
      `SELECT s.name AS "table", c.name, c.type, c.pk AS "key"
       FROM sqlite_schema s JOIN pragma_table_xinfo(s.name) c
       WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%' AND c.hidden = 0`,
    )
    .all();
  const canary = connection
    .prepare<{ value: string }>("SELECT value FROM settings WHERE name = 'keyring.canary'")
    .get()?.value;
  const pairs = (where: string) =>
    connection.prepare<MetadataRow>(
      `SELECT workspace_id, pair, execution_id FROM execution_metadata ${where}
       ORDER BY workspace_id, pair, execution_id LIMIT ${MAX_ROWS}`,
    );
  const [firstPairs, nextPairs] = [pairs(""), pairs("WHERE (workspace_id, pair, execution_id) > (?, ?, ?)")];
  return {
    id: hash("sha256", canary ?? "", "hex"),
    state,
    columns,
    units: {
      read: (unit) => connection.read(() => connection.perform(unit())),
      write: async () => {
        throw new YagateError("INTERNAL", "expected no write to the source");
      },
    },
    count({ name, condition }) {
      const counted = connection.prepare<{ rows: number }>(`SELECT count(*) AS rows FROM ${name} t WHERE ${condition}`);
      return counted.get()?.rows ?? 0;
    },
    batch(table, after) {
      const rows: Row[] = [];
      let characters = 0;
      for (const row of connection.prepare<Row>(batchSql(table, after !== undefined)).each(...(after ?? []))) {
        rows.push(row);
        for (const value of Object.values(row)) if (typeof value === "string") characters += value.length;
        if (characters >= MAX_CHARACTERS) break;
      }
      return rows;
    },
    metadata(after) {
      const rows = after === undefined ? firstPairs.all() : nextPairs.all(...after);
      const last = rows.at(-1);
      return last && { pairs: rows, last: [last.workspace_id, last.pair, last.execution_id] };
    },
    executions: () =>
      connection
        .prepare<{ id: string; workspaceId: string }>(
          "SELECT id, workspace_id AS workspaceId FROM executions ORDER BY id",
        )
        .each(),
    unfinished: () =>
      connection.prepare<{ rows: number }>("SELECT count(*) AS rows FROM executions WHERE is_open = 1").get()?.rows ??
      0,
    close() {
      connection.close();
      release();
    },
  };
}

function batchSql({ name, columns, keys, condition }: MovedTable, isLater: boolean): string {
  const list = keys.map((key) => `t.${key.name}`).join(", ");
  const later = isLater ? `AND (${list}) > (${keys.map(() => "?").join(", ")})` : "";
  const values = columns.map((column) => `${column.source} AS ${column.name}`).join(", ");
  return `SELECT ${values} FROM ${name} t WHERE ${condition} ${later} ORDER BY ${list} LIMIT ${MAX_ROWS}`;
}

/** Returns the primary key of a row. */
export function keyOf({ keys }: MovedTable, row: Row): Key {
  return keys.map(({ name }) => row[name] ?? null);
}
