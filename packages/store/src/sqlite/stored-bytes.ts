import { type StoredBytesRecord, type StoredBytesStore, toTotals } from "../quotas/stored-bytes.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Rows per commit: a few ms of work. */
const ROWS_PER_LOOK = 500;

/**
 * The counted tables, read in the order of their rowids: rows are only added at the end, and their sizes never change,
 * except that of an append whose messages are deleted. SQLite can return the size of a string without reading it. An exchange that is replaced would count twice, but no
 * execution replaces one.
 */
const COUNTED = {
  execution_requests: { bytes: "octet_length(request)", key: "execution_id" },
  appends: {
    bytes: "octet_length(entries) + ifnull(octet_length(link), 0) + ifnull(octet_length(exchanges), 0)",
    key: "execution_id",
  },
  execution_texts: { bytes: "octet_length(text)", key: "execution_id" },
  exchanges: { bytes: "ifnull(octet_length(request), 0) + ifnull(octet_length(response), 0)", key: "attempt_id" },
  agent_versions: { bytes: "octet_length(definition)", key: "agent_id" },
  tool_versions: { bytes: "octet_length(content)", key: "tool_id" },
  // Triggers subtract deleted rows.
  tool_source_definitions: { bytes: "octet_length(content)", key: "source_id" },
} as const;

type CountedTable = keyof typeof COUNTED;

/** Counted tables whose rows are deleted. */
type DeletedTable = "execution_requests" | "appends" | "execution_texts" | "exchanges";

const OF_EXECUTION = "JOIN executions w ON w.id = r.key";
/** Joins from a row's key to the row that contains the workspace. */
const OWNERS = {
  execution_requests: OF_EXECUTION,
  appends: OF_EXECUTION,
  execution_texts: OF_EXECUTION,
  exchanges: "JOIN call_ids c ON c.id = r.key JOIN executions w ON w.id = c.execution_id",
  agent_versions: "JOIN agents w ON w.id = r.key",
  tool_versions: "JOIN tools w ON w.id = r.key",
  tool_source_definitions: "JOIN tool_sources w ON w.id = r.key",
} as const satisfies Record<CountedTable, string>;

const isCounted = (table: DeletedTable) =>
  `rowid <= (SELECT position FROM stored_bytes_positions WHERE name = '${table}')`;

/** Subtracts deleted rows from the totals, in the transaction that deletes them. */
export interface Uncounting {
  /**
   * Call this before the rows, and the rows with their workspace, are deleted. @param keysJson - a JSON array of keys.
   */
  takeOff(table: DeletedTable, keysJson: string): void;
  /** Call this before messages of attempts are deleted from `appends`. @param rowidsJson - a JSON array of rowids. */
  takeOffExchanges(rowidsJson: string): void;
  /** Call this after rows were deleted, because new rows may reuse their rowids. */
  moveBack(table: DeletedTable): void;
}

export function createUncounting(connection: SqliteConnection): Uncounting {
  const takeOff = (table: DeletedTable) => {
    const { bytes, key } = COUNTED[table];
    return connection.prepare(
      `INSERT INTO workspace_stored_bytes (workspace_id, bytes)
       SELECT w.workspace_id, -sum(r.bytes) FROM (
         SELECT ${key} AS key, ${bytes} AS bytes FROM ${table}
         WHERE ${key} IN (SELECT value FROM json_each(?)) AND ${isCounted(table)}) r ${OWNERS[table]}
       WHERE true GROUP BY w.workspace_id
       ON CONFLICT (workspace_id) DO UPDATE SET bytes = bytes + excluded.bytes`,
    );
  };
  const moveBack = (table: DeletedTable) =>
    connection.prepare(
      `UPDATE stored_bytes_positions SET position = min(position, ifnull((SELECT max(rowid) FROM ${table}), 0))
       WHERE name = '${table}'`,
    );
  const statementsOf = (table: DeletedTable) => ({ takeOff: takeOff(table), moveBack: moveBack(table) });
  const statements = {
    execution_requests: statementsOf("execution_requests"),
    appends: statementsOf("appends"),
    execution_texts: statementsOf("execution_texts"),
    exchanges: statementsOf("exchanges"),
  } satisfies Record<DeletedTable, unknown>;
  const takeOffExchanges = connection.prepare(
    `INSERT INTO workspace_stored_bytes (workspace_id, bytes)
     SELECT w.workspace_id, -sum(octet_length(a.exchanges)) FROM appends a JOIN executions w ON w.id = a.execution_id
     WHERE a.rowid IN (SELECT value FROM json_each(?)) AND a.${isCounted("appends")} GROUP BY w.workspace_id
     ON CONFLICT (workspace_id) DO UPDATE SET bytes = bytes + excluded.bytes`,
  );
  return {
    takeOffExchanges: (rowidsJson) => void takeOffExchanges.run(rowidsJson),
    takeOff: (table, keysJson) => void statements[table].takeOff.run(keysJson),
    moveBack: (table) => void statements[table].moveBack.run(),
  };
}

/**
 * Starts the count again if rows were renumbered, which VACUUM may do. A stored position beyond the last row shows
 * this.
 */
function forgetIfRenumbered(connection: SqliteConnection): void {
  const isBehind = (table: string) =>
    `EXISTS (SELECT 1 FROM stored_bytes_positions
             WHERE name = '${table}' AND position > ifnull((SELECT max(rowid) FROM ${table}), 0))`;
  const found = connection.prepare(`SELECT 1 WHERE ${Object.keys(COUNTED).map(isBehind).join(" OR ")}`).get();
  if (found === undefined) return;
  connection.execute(
    "BEGIN IMMEDIATE; DELETE FROM workspace_stored_bytes; UPDATE stored_bytes_positions SET position = 0; COMMIT",
  );
}

/**
 * Creates the counts of stored bytes. Rows are counted after they have been written, so appends do no extra work. The
 * position and the totals change in the same commit, so each row is counted exactly once.
 */
export function createStoredBytes(connection: SqliteConnection, commits: GroupCommit): StoredBytesStore {
  forgetIfRenumbered(connection);
  const walks = (Object.keys(COUNTED) as CountedTable[]).map((table) => {
    const { bytes, key } = COUNTED[table];
    const beyond = `FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_PER_LOOK}`;
    return {
      table,
      next: connection.prepare<{ id: number }>(`SELECT rowid AS id FROM ${table} WHERE rowid > ? LIMIT 1`),
      look: connection.prepare<{ last: number | null; count: number }>(
        `SELECT max(id) AS last, count(*) AS count FROM (SELECT rowid AS id ${beyond})`,
      ),
      add: connection.prepare(
        `INSERT INTO workspace_stored_bytes (workspace_id, bytes)
         SELECT w.workspace_id, sum(r.bytes) FROM (SELECT ${key} AS key, ${bytes} AS bytes ${beyond}) r ${OWNERS[table]}
         WHERE true GROUP BY w.workspace_id
         ON CONFLICT (workspace_id) DO UPDATE SET bytes = bytes + excluded.bytes`,
      ),
    };
  });
  const find = connection.prepare<{ position: number }>("SELECT position FROM stored_bytes_positions WHERE name = ?");
  const move = connection.prepare("UPDATE stored_bytes_positions SET position = ? WHERE name = ?");
  const totals = connection.prepare<StoredBytesRecord>("SELECT workspace_id, bytes FROM workspace_stored_bytes");

  const positionOf = ({ table }: (typeof walks)[number]) => find.get(table)?.position ?? 0;

  /** Counts the next rows of a table. @returns whether it reached the end. */
  function count(walk: (typeof walks)[number]): boolean {
    const position = positionOf(walk);
    const { last, count } = walk.look.get(position) ?? { last: null, count: 0 };
    if (last === null) return true;
    walk.add.run(position);
    move.run(last, walk.table);
    return count < ROWS_PER_LOOK;
  }

  return {
    async advance() {
      // Without new rows, nothing is written.
      const behind = await connection.read(() => walks.filter((walk) => walk.next.get(positionOf(walk)) !== undefined));
      const [next, ...rest] = behind;
      if (next === undefined) return true;
      const isOver = await commits.write(() => count(next));
      return isOver && rest.length === 0;
    },
    totals: () => connection.read(() => toTotals(totals.all())),
  };
}
