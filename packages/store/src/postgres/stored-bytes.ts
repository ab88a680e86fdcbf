import { type StoredBytesRecord, type StoredBytesStore, toTotals } from "../quotas/stored-bytes.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { toStoreError } from "./store-error.ts";

/** The SQL expression for the size of an exchange. The server can return the size of a string without reading it. */
export const EXCHANGE_BYTES = "coalesce(octet_length(request), 0) + coalesce(octet_length(response), 0)";

/** Maximum number of uncounted rows per step. Their locks are held during the step. */
const EXECUTIONS_PER_LOOK = 100;
const EXCHANGES_PER_LOOK = 200;
const VERSIONS_PER_LOOK = 500;

/**
 * Adds recorded changes to the totals and deletes them, in one transaction. Concurrent replicas lock the workspaces in
 * the same order, which prevents deadlocks.
 */
const SUM = named(`
  WITH changed AS (
    DELETE FROM stored_bytes_changes RETURNING workspace_id, bytes
  ), agents_counted AS (
    UPDATE agent_versions v SET is_counted = 1 FROM agents a
    WHERE a.id = v.agent_id AND (v.agent_id, v.version) IN (
      SELECT agent_id, version FROM agent_versions WHERE is_counted IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING a.workspace_id, octet_length(v.definition) AS bytes
  ), tools_counted AS (
    UPDATE tool_versions v SET is_counted = 1 FROM tools t
    WHERE t.id = v.tool_id AND (v.tool_id, v.version) IN (
      SELECT tool_id, version FROM tool_versions WHERE is_counted IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING t.workspace_id, octet_length(v.content) AS bytes
  ), added AS (
    INSERT INTO workspace_stored_bytes AS w (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM (
      SELECT * FROM changed UNION ALL SELECT * FROM agents_counted UNION ALL SELECT * FROM tools_counted
    ) AS one GROUP BY workspace_id ORDER BY workspace_id
    ON CONFLICT (workspace_id) DO UPDATE SET bytes = w.bytes + excluded.bytes
  )
  SELECT greatest((SELECT count(*) FROM agents_counted), (SELECT count(*) FROM tools_counted)) AS looked_at`);

const COUNT_EXECUTIONS = named("SELECT last_id, looked_at FROM yagate_count_executions($1, $2)");

const COUNT_EXCHANGES = named(`
  WITH page AS MATERIALIZED (
    SELECT attempt_id FROM exchanges WHERE attempt_id > $1 ORDER BY attempt_id LIMIT $2
  ), counted AS (
    UPDATE exchanges x SET workspace_id = e.workspace_id
    FROM page p JOIN call_ids c ON c.id = p.attempt_id JOIN executions e ON e.id = c.execution_id
    WHERE x.attempt_id = p.attempt_id AND x.workspace_id IS NULL
    RETURNING x.workspace_id, coalesce(octet_length(x.request), 0) + coalesce(octet_length(x.response), 0) AS bytes
  ), changed AS (
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM counted GROUP BY workspace_id
  )
  SELECT coalesce(max(attempt_id), $1) AS last_id, count(*)::integer AS looked_at FROM page`);

const POSITION = named("SELECT value FROM settings WHERE name = $1");
const SET_POSITION = named(`
  INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
/** Stores the position of a walk. Does nothing if a recount, which removes the positions, has just started. */
const SET_WALKED = named(`
  INSERT INTO settings (name, value) SELECT $1, '1'
  WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'stored_bytes.executions') ON CONFLICT (name) DO NOTHING`);
const TOTALS = named("SELECT workspace_id, bytes FROM workspace_stored_bytes");

/**
 * The walks over all rows, in the order of their ids, each from the position where any replica stopped. They skip
 * counted rows.
 */
const WALKS = [
  { setting: "stored_bytes.executions", statement: COUNT_EXECUTIONS, limit: EXECUTIONS_PER_LOOK },
  { setting: "stored_bytes.exchanges", statement: COUNT_EXCHANGES, limit: EXCHANGES_PER_LOOK },
] as const;

/**
 * The setting that records that all rows are counted, and that no older replica is left that could add uncounted ones.
 */
const WALKED = "stored_bytes.walked";

/**
 * Creates the counts of stored bytes: sums the changes that other statements recorded, and counts rows that older
 * versions wrote.
 *
 * @param isFinished - returns whether no replica of an older version is left. The next walk that reaches the end is
 *   then the last one.
 */
export function createStoredBytes(database: Database, isFinished: () => boolean): StoredBytesStore {
  /** Counts the next rows of one walk. @returns whether the walk reached the end. */
  async function walk({ setting, statement, limit }: (typeof WALKS)[number]): Promise<boolean> {
    const [position] = await database.run<{ value: string }>("reads", POSITION, [setting]);
    const values = [position?.value ?? "", limit];
    const [page] = await database.run<{ last_id: string; looked_at: number }>("writes", statement, values);
    // The first position is stored even if there are no rows, because without it the walk would never be finished.
    if (page === undefined || (page.looked_at === 0 && position !== undefined)) return true;
    await database.run("writes", SET_POSITION, [setting, page.last_id]);
    return page.looked_at < limit;
  }

  /** Counts the next rows of all walks. @returns whether every known row is counted. */
  async function walkAll(): Promise<boolean> {
    // Checked each time, because a recount removes this setting.
    if ((await database.run("reads", POSITION, [WALKED])).length > 0) return true;
    const isLast = isFinished();
    const walked: boolean[] = [];
    for (const one of WALKS) walked.push(await walk(one));
    if (!walked.every(Boolean)) return false;
    if (isLast) await database.run("writes", SET_WALKED, [WALKED]);
    return true;
  }

  return {
    async advance() {
      try {
        const isAtEnd = await walkAll();
        const [row] = await database.run<{ looked_at: number }>("writes", SUM, [VERSIONS_PER_LOOK]);
        return isAtEnd && (row?.looked_at ?? 0) < VERSIONS_PER_LOOK;
      } catch (error) {
        throw toStoreError(error);
      }
    },
    totals: async () => toTotals(await repeatRead(() => database.run<StoredBytesRecord>("reads", TOTALS, []))),
  };
}
