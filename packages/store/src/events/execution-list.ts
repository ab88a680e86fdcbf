import { createHash } from "node:crypto";
import { ID_PREFIXES, type Page, type PageQuery, type StopReason } from "@yagate/protocol";
import { idBelow, toPage } from "../cursor.ts";
import { joinSql, type SqlStatement, sql } from "../sql.ts";
import { all, type UnitOfWork } from "../unit-of-work.ts";
import type { ExecutionRecord } from "./execution-record.ts";
import type { ExecutionFilter } from "./execution-row.ts";

/** Encodes the name and value of a metadata string for the index. */
export type MetadataPair = (name: string, value: string) => string;

/** The encoding on SQLite. */
export const plainPair: MetadataPair = (name, value) => `${Buffer.byteLength(name)}:${name}${value}`;

/** The encoding on PostgreSQL, whose index entries have a maximum size. */
export const hashedPair: MetadataPair = (name, value) =>
  createHash("sha256").update(plainPair(name, value)).digest("hex");

/** Maximum time that `created_at` can be later than the time in the id of the same execution. */
const MINTING_MS = 60_000;

/**
 * Returns a page of the executions in a workspace that match the filter, newest first. The statement contains only the
 * conditions that are set, so that the query planner can use the matching index.
 */
export function* executionPage(
  workspaceId: string,
  { limit, cursor }: PageQuery,
  filter: ExecutionFilter,
  pairOf: MetadataPair,
): UnitOfWork<Page<ExecutionRecord>> {
  const records = yield* all(executionPageStatement(workspaceId, { limit, cursor }, filter, pairOf));
  return toPage(
    records,
    limit,
    ({ id }) => id,
    (record) => record,
  );
}

export function executionPageStatement(
  workspaceId: string,
  { limit, cursor }: PageQuery,
  { status, agentId, mode, errorCode, stopReason, since, until, tool, metadata = [] }: ExecutionFilter,
  pairOf: MetadataPair,
): SqlStatement<ExecutionRecord> {
  const [driving, ...others] = metadata.map(({ name, value }) => pairOf(name, value));
  const fragments: SqlStatement<unknown>[] = [
    sql`
    SELECT e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
           e.status, e.summary, r.request`,
  ];
  // The tables are in the order in which SQLite reads them, because it keeps the order of a CROSS JOIN.
  const below = idBelow(cursor);
  const isDriven = driving !== undefined || tool !== undefined;
  if (!isDriven) {
    fragments.push(sql`
    FROM executions e JOIN execution_requests r ON r.execution_id = e.id
    WHERE e.workspace_id = ${workspaceId} AND e.id < ${below}`);
  } else if (driving === undefined) {
    fragments.push(sql`
    FROM execution_tools m CROSS JOIN executions e CROSS JOIN execution_requests r
    WHERE m.workspace_id = ${workspaceId} AND m.tool = ${tool ?? ""} AND m.execution_id < ${below}
      AND e.id = m.execution_id AND r.execution_id = m.execution_id`);
  } else {
    fragments.push(sql`
    FROM execution_metadata m CROSS JOIN executions e CROSS JOIN execution_requests r
    WHERE m.workspace_id = ${workspaceId} AND m.pair = ${driving} AND m.execution_id < ${below}
      AND e.id = m.execution_id AND r.execution_id = m.execution_id`);
  }
  for (const pair of others) {
    fragments.push(sql` AND EXISTS (SELECT 1 FROM execution_metadata o
      WHERE o.workspace_id = ${workspaceId} AND o.pair = ${pair} AND o.execution_id = e.id)`);
  }
  if (driving !== undefined && tool !== undefined) {
    fragments.push(sql` AND EXISTS (SELECT 1 FROM execution_tools t
      WHERE t.workspace_id = ${workspaceId} AND t.tool = ${tool} AND t.execution_id = e.id)`);
  }
  if (agentId !== undefined) fragments.push(sql` AND e.agent_id = ${agentId}`);
  if (mode !== undefined) {
    fragments.push(mode === "recorded" ? sql` AND e.mode = 'recorded'` : sql` AND e.mode IS NULL`);
  }
  if (status !== undefined) {
    fragments.push(
      ENDED.has(status)
        ? sql` AND e.is_open = 0 AND e.ended_status IS NOT NULL AND e.ended_status = ${status}`
        : sql` AND e.is_open = 1 AND e.status = ${status}`,
    );
  }
  if (errorCode !== undefined) {
    fragments.push(
      sql` AND e.is_open = 0 AND e.status = 'failed' AND e.ended_reason IS NOT NULL AND e.ended_reason = ${errorCode}`,
    );
  }
  if (stopReason !== undefined) fragments.push(stoppedFor(stopReason));
  if (since !== undefined) {
    const from = idAt(since - MINTING_MS);
    fragments.push(isDriven ? sql` AND m.execution_id >= ${from}` : sql` AND e.id >= ${from}`);
    fragments.push(sql` AND e.created_at >= ${since}`);
  }
  if (until !== undefined) {
    const to = idAt(until + MINTING_MS);
    fragments.push(isDriven ? sql` AND m.execution_id < ${to}` : sql` AND e.id < ${to}`);
    fragments.push(sql` AND e.created_at < ${until}`);
  }
  fragments.push(
    isDriven ? sql` ORDER BY m.execution_id DESC LIMIT ${limit + 1}` : sql` ORDER BY e.id DESC LIMIT ${limit + 1}`,
  );
  return joinSql(fragments);
}

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/**
 * Returns the condition for a stop reason. The column `ended_reason` contains the error code of a failed execution, or the
 * stop reason of a completed one unless it is `final`; it is null for a cancelled one.
 */
function stoppedFor(reason: StopReason): SqlStatement<unknown> {
  switch (reason) {
    case "final":
      return sql` AND e.is_open = 0 AND e.ended_status IS NOT NULL AND e.ended_status = 'completed'
        AND e.ended_reason IS NULL`;
    case "error":
      return sql` AND e.is_open = 0 AND e.ended_status IS NOT NULL AND e.ended_status = 'failed'`;
    case "cancelled":
      return sql` AND e.is_open = 0 AND e.ended_status IS NOT NULL AND e.ended_status = 'cancelled'`;
    default:
      return sql` AND e.is_open = 0 AND e.status = 'completed' AND e.ended_reason IS NOT NULL
        AND e.ended_reason = ${reason}`;
  }
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const MAX_MS = 2 ** 48 - 1;

/**
 * Returns the lowest execution id that can be created at a given time. Ids start with their creation time in base32, 5
 * bits per digit.
 */
function idAt(ms: number): string {
  let value = BigInt(Math.min(Math.max(Math.trunc(ms), 0), MAX_MS)) << 80n;
  let digits = "";
  for (let index = 0; index < 26; index += 1) {
    digits = `${ALPHABET[Number(value & 31n)]}${digits}`;
    value >>= 5n;
  }
  return `${ID_PREFIXES.execution}_${digits}`;
}
