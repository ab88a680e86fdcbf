import { hash } from "node:crypto";
import { YagateError } from "@yagate/protocol";
import { type Database, named, type Session } from "../postgres/database.ts";
import { TAKE_STORE } from "../postgres/in-use.ts";
import { TABLES } from "../postgres/migrations/migrate.ts";
import { MIN_READER } from "../postgres/stored-forms.ts";
import { FIND_MOVE, type MoveRecord, parseMoveRecord } from "./progress.ts";
import type { MetadataRow, Row } from "./source.ts";
import { type Column, MOVE_SETTING, type MovedTable, OWN_SETTINGS } from "./tables.ts";

/** A statement may read or write a whole table. */
const TIMEOUT_MS = 3_600_000;

const COLUMNS = named(`
  SELECT table_name AS "table", column_name AS name, data_type AS type, 0 AS key
  FROM information_schema.columns
  WHERE table_schema = current_schema() AND is_generated = 'NEVER' AND table_name IN (${TABLES})
  ORDER BY table_name, ordinal_position`);
const FIND = named(FIND_MOVE);
const SET = `
  INSERT INTO settings (name, value) VALUES ('${MOVE_SETTING}', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const SET_RECORD = named(SET);
const FOREIGN_SETTINGS = named(`
  SELECT name FROM settings WHERE name <> ALL($1::text[]) AND name <> 'read_models.backfill' LIMIT 1`);

/** What a gateway would derive from the rows, in the background or with each write. */
const COMPLETE = `
  BEGIN;
  TRUNCATE read_model_changes, stored_bytes_changes, workspace_stored_bytes;
  INSERT INTO read_model_changes (execution_id)
    SELECT e.id FROM executions e LEFT JOIN read_executions p ON p.execution_id = e.id
    WHERE e.last_seq > coalesce(p.seq, 0);
  INSERT INTO workspace_stored_bytes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM (
      SELECT workspace_id, stored_bytes AS bytes FROM executions
      UNION ALL SELECT workspace_id, octet_length(text) FROM execution_texts
      UNION ALL SELECT e.workspace_id, octet_length(a.exchanges) FROM appends a JOIN executions e ON e.id = a.execution_id
      WHERE a.exchanged_at IS NOT NULL
      UNION ALL SELECT workspace_id, coalesce(octet_length(request), 0) + coalesce(octet_length(response), 0)
      FROM exchanges
      UNION ALL SELECT a.workspace_id, octet_length(v.definition)
      FROM agent_versions v JOIN agents a ON a.id = v.agent_id
      UNION ALL SELECT o.workspace_id, octet_length(v.content) FROM tool_versions v JOIN tools o ON o.id = v.tool_id
      UNION ALL SELECT s.workspace_id, octet_length(d.content)
      FROM tool_source_definitions d JOIN tool_sources s ON s.id = d.source_id
    ) AS stored WHERE workspace_id IS NOT NULL AND bytes IS NOT NULL GROUP BY workspace_id;
  INSERT INTO settings (name, value) VALUES ('stored_bytes.walked', '1') ON CONFLICT (name) DO NOTHING;
  COMMIT`;

/** A PostgreSQL database that no gateway uses while this connection is open. */
export interface Target {
  readonly columns: readonly Column[];
  record(): Promise<MoveRecord | undefined>;
  setRecord(record: MoveRecord): Promise<void>;
  /** Returns the name of a table that contains data, other than what a migration stores. */
  tableWithData(): Promise<string | undefined>;
  /** Deletes all data, and stores that a copy has started. */
  restart(record: MoveRecord): Promise<void>;
  /** Adds rows and stores how far the copy is, in one transaction. */
  add(table: MovedTable, rows: readonly Row[], record: MoveRecord): Promise<void>;
  /** Derives what is not copied. */
  complete(): Promise<void>;
  count(table: MovedTable): Promise<number>;
  /** Returns the rows with the keys of the given rows, in any order. */
  rowsLike(table: MovedTable, rows: readonly Row[]): Promise<readonly Row[]>;
  /** Counts the given pairs that are missing. */
  missingPairs(pairs: readonly MetadataRow[]): Promise<number>;
}

/**
 * Takes a database on a connection, which ends the lock too.
 *
 * @throws YagateError `CONFLICT` if a gateway uses the database.
 */
export async function takeTarget(session: Session): Promise<void> {
  await session.execute(`SET statement_timeout = ${TIMEOUT_MS}`);
  const [lock] = await session.run<{ is_locked: boolean }>(named(TAKE_STORE), []);
  if (lock?.is_locked === true) return;
  throw new YagateError("CONFLICT", "expected no gateway to use the target, but at least one is connected to it", {
    hint: "stop all gateways that use the target, or use an empty database",
  });
}

/** Reads the schema of a database that {@link takeTarget} has taken. */
export async function openTarget(session: Session): Promise<Target> {
  const columns = await session.run<Column>(COLUMNS, []);
  const tables = [...new Set(columns.map(({ table }) => table))].filter((name) => name !== "yagate_migrations");
  const run = <Found>(text: string, values: readonly Bound[] = []) =>
    session.run<Found>(named(text), values, TIMEOUT_MS);
  const transaction = async (work: () => Promise<void>) => {
    await session.execute("BEGIN");
    await work();
    await session.execute("COMMIT");
  };
  return {
    columns,
    async record() {
      if (!tables.includes("settings")) return undefined;
      const [row] = await session.run<{ value: string }>(FIND, []);
      return parseMoveRecord(row?.value);
    },
    async setRecord(record) {
      await session.run(SET_RECORD, [JSON.stringify(record)]);
    },
    async tableWithData() {
      for (const table of tables) {
        if (table !== "settings" && (await run(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) return table;
      }
      if (!tables.includes("settings")) return undefined;
      return (await session.run(FOREIGN_SETTINGS, [OWN_SETTINGS])).length > 0 ? "settings" : undefined;
    },
    async restart(record) {
      await transaction(async () => {
        await run(`TRUNCATE ${tables.filter((table) => table !== "settings").join(", ")}`);
        await run(`DELETE FROM settings WHERE name <> '${MIN_READER}'`);
        await session.run(SET_RECORD, [JSON.stringify(record)]);
      });
    },
    async add(table, rows, record) {
      const { columns: added } = table;
      const names = added.map(({ name }) => name).join(", ");
      const insert = `WITH moved AS (${SET})
        INSERT INTO ${table.name} (${names}) SELECT * FROM unnest(${parameters(added, 2)})`;
      await run(insert, [JSON.stringify(record), ...added.map(({ name }) => rows.map((row) => row[name] ?? null))]);
    },
    async complete() {
      await session.execute(COMPLETE, TIMEOUT_MS);
      await session.execute("ANALYZE", TIMEOUT_MS);
    },
    async count({ name, condition }) {
      const [row] = await run<{ rows: number }>(`SELECT count(*) AS rows FROM ${name} t WHERE ${condition}`);
      return row?.rows ?? 0;
    },
    rowsLike({ name, columns: read, keys }, rows) {
      const list = read.map((column) => `t.${column.name}`).join(", ");
      const names = keys.map((key) => key.name);
      const same = names.map((key) => `t.${key} = k.${key}`).join(" AND ");
      return run<Row>(
        `SELECT ${list} FROM unnest(${parameters(keys, 1)}) AS k (${names.join(", ")}) JOIN ${name} t ON ${same}`,
        names.map((key) => rows.map((row) => row[key] ?? null)),
      );
    },
    async missingPairs(pairs) {
      const [row] = await run<{ missing: number }>(
        `SELECT count(*) AS missing FROM unnest($1::text[], $2::text[], $3::text[]) AS k (workspace_id, pair, execution_id)
         LEFT JOIN execution_metadata t
           ON t.workspace_id = k.workspace_id AND t.pair = k.pair AND t.execution_id = k.execution_id
         WHERE t.pair IS NULL`,
        [
          pairs.map(({ workspace_id }) => workspace_id),
          pairs.map(({ pair }) => hash("sha256", pair, "hex")),
          pairs.map(({ execution_id }) => execution_id),
        ],
      );
      return row?.missing ?? 0;
    },
  };
}

type Bound = Parameters<Database["run"]>[2][number];

function parameters(columns: MovedTable["columns"], first: number): string {
  return columns.map(({ type }, index) => `$${first + index}::${type}[]`).join(", ");
}
