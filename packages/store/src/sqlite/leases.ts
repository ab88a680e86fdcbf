import { YagateError } from "@yagate/protocol";
import type { EventStore } from "../events/event-store.ts";
import { type ExecutionRecord, SELECT_EXECUTIONS, toExecutionRow } from "../events/execution-record.ts";
import type { ExecutionRow } from "../events/execution-row.ts";
import { readRecord } from "../events/texts-apart.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Bounds the cost of a claim: only the executions whose leases expired first are considered. */
const MAX_CANDIDATES = 10_000;

/** Creates the queries that decide which process advances an execution. */
export function createLeases(
  connection: SqliteConnection,
  commits: GroupCommit,
): Pick<EventStore, "claim" | "release" | "claimDue" | "renew"> {
  // The first execution of each workspace comes before the second of any workspace.
  const selectLapsed = connection.prepare<{ id: string }>(
    `SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY lease_until, id) AS place
       FROM (
         SELECT id, workspace_id, lease_until FROM executions
         WHERE is_open = 1 AND lease_until >= 0 AND lease_until < ? AND id NOT IN (SELECT value FROM json_each(?))
           AND owner IS NOT ? AND workspace_id NOT IN (SELECT value FROM json_each(?))
         ORDER BY lease_until LIMIT ${MAX_CANDIDATES}))
     ORDER BY place, id LIMIT ?`,
  );
  const selectDue = connection.prepare<{ id: string }>(
    `SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY wake_at, id) AS place
       FROM (
         SELECT id, workspace_id, wake_at FROM executions
         WHERE wake_at <= ? AND workspace_id NOT IN (SELECT value FROM json_each(?))
         ORDER BY wake_at LIMIT ${MAX_CANDIDATES}))
     ORDER BY place, id LIMIT ?`,
  );
  const suspend = connection.prepare(
    `UPDATE executions SET owner = NULL, lease_until = -1, wake_at = ?
     WHERE id = ? AND last_seq = ? AND epoch = ? AND is_open = 1 AND wake_at IS NULL`,
  );
  const takeDue = connection.prepare(
    "UPDATE executions SET owner = ?, lease_until = ?, epoch = epoch + 1, wake_at = NULL WHERE id = ?",
  );
  const find = connection.prepare<{ epoch: number; wake_at: number | null }>(
    "SELECT epoch, wake_at FROM executions WHERE id = ?",
  );
  const take = connection.prepare(
    "UPDATE executions SET owner = ?, lease_until = ?, epoch = epoch + 1 WHERE id = ? AND is_open = 1",
  );
  const select = connection.prepare<ExecutionRecord>(`${SELECT_EXECUTIONS} WHERE e.id = ?`);
  // With this range, SQLite uses the index of unfinished executions: a store may contain millions of ended ones.
  const renew = connection.prepare(
    "UPDATE executions SET lease_until = ? WHERE is_open = 1 AND lease_until >= 0 AND owner = ?",
  );

  function claimOne(id: string, owner: string, leaseUntil: number, statement = take): ExecutionRow {
    statement.run(owner, leaseUntil, id);
    const found = select.get(id);
    const record = found && connection.perform(readRecord(found));
    if (record === undefined) throw new YagateError("INTERNAL", "expected the request of an execution to exist");
    return toExecutionRow(record);
  }

  return {
    claim: ({ owner, now, leaseUntil, limit, except, exceptOwner = "", exceptWorkspaces = [] }) => {
      const values = [now, JSON.stringify([...except]), exceptOwner, JSON.stringify(exceptWorkspaces), limit];
      return commits.write(() => selectLapsed.all(...values).map(({ id }) => claimOne(id, owner, leaseUntil)));
    },
    release: ({ executionId, epoch, expectedSeq, wakeAt }) =>
      commits.write(() => {
        if (suspend.run(wakeAt, executionId, expectedSeq, epoch) === 1) return "released";
        const row = find.get(executionId);
        if (row?.epoch !== epoch) return "taken_over";
        return row.wake_at === null ? "behind" : "released";
      }),
    claimDue: ({ owner, now, leaseUntil, limit, exceptWorkspaces = [] }) => {
      const values = [now, JSON.stringify(exceptWorkspaces), limit];
      return commits.write(() => selectDue.all(...values).map(({ id }) => claimOne(id, owner, leaseUntil, takeDue)));
    },
    renew: async ({ owner, leaseUntil }) => {
      await commits.write(() => renew.run(leaseUntil, owner));
    },
  };
}
