import type { EventStore } from "../events/event-store.ts";
import { type ExecutionRecord, toExecutionRow } from "../events/execution-record.ts";
import type { ExecutionRow } from "../events/execution-row.ts";
import { type Bindable, type Database, type NamedStatement, named } from "./database.ts";
import { InSequence } from "./in-sequence.ts";
import { StatementError, toStoreError } from "./store-error.ts";
import { readRecords } from "./texts-apart.ts";

/** Of more lapsed executions than this only the longest lapsed are put in turn, so that a claim stays quick. */
const MAX_CANDIDATES = 10_000;
/** Less than half of what a lease holds without renewal: one that was lost on its way can be made good. */
const TIMEOUT_MS = 3_000;

/**
 * The first of each workspace come before the second of any. Rows that another replica is taking at this moment are
 * skipped, and the next ones taken in their place.
 */
const CLAIM = named(`
  WITH lapsed AS (
    SELECT id, workspace_id, lease_until FROM executions
    WHERE is_open = 1 AND (lease_until >= 0 AND lease_until < $1 OR owner = $2) AND id <> ALL($3::text[])
      AND owner IS DISTINCT FROM $7 AND workspace_id <> ALL($8::text[])
    ORDER BY lease_until LIMIT ${MAX_CANDIDATES}
  ), turns AS (
    SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY lease_until, id) AS turn FROM lapsed
  ), taken AS (
    SELECT e.id FROM executions e JOIN turns t ON t.id = e.id
    WHERE e.is_open = 1 AND (e.lease_until >= 0 AND e.lease_until < $1 OR e.owner = $2)
    ORDER BY t.turn, t.id LIMIT $4 FOR UPDATE OF e SKIP LOCKED
  ), claimed AS (
    UPDATE executions e SET owner = $5, lease_until = $6, epoch = e.epoch + 1 FROM taken t WHERE t.id = e.id
    RETURNING e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
      e.status, e.summary
  )
  SELECT c.*, r.request FROM claimed c JOIN execution_requests r ON r.execution_id = c.id
  JOIN turns t ON t.id = c.id ORDER BY t.turn, t.id`);

/** The same for those that were laid down and are due. */
const CLAIM_DUE = named(`
  WITH due AS (
    SELECT id, workspace_id, wake_at FROM executions WHERE wake_at <= $1 AND workspace_id <> ALL($5::text[])
    ORDER BY wake_at LIMIT ${MAX_CANDIDATES}
  ), turns AS (
    SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY wake_at, id) AS turn FROM due
  ), taken AS (
    SELECT e.id FROM executions e JOIN turns t ON t.id = e.id
    WHERE e.wake_at <= $1
    ORDER BY t.turn, t.id LIMIT $2 FOR UPDATE OF e SKIP LOCKED
  ), claimed AS (
    UPDATE executions e SET owner = $3, lease_until = $4, epoch = e.epoch + 1, wake_at = NULL
    FROM taken t WHERE t.id = e.id
    RETURNING e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
      e.status, e.summary
  )
  SELECT c.*, r.request FROM claimed c JOIN execution_requests r ON r.execution_id = c.id
  JOIN turns t ON t.id = c.id ORDER BY t.turn, t.id`);

const RENEW = named(`
  UPDATE executions SET lease_until = $1 WHERE id IN (
    SELECT id FROM executions WHERE owner = $2 AND is_open = 1 ORDER BY id FOR UPDATE)`);

/** What decides which replica advances an execution. */
export interface Leases extends Pick<EventStore, "claim" | "claimDue" | "renew"> {
  /**
   * Rows may be this replica's of which nobody here knows, since a write was lost on its way: each renewal would keep
   * them so for ever. The next claim looks for them.
   */
  suspect(): void;
}

export function createLeases(database: Database): Leases {
  const claims = new InSequence();
  let mayHoldUnknown = false;

  async function take(statement: NamedStatement, values: readonly Bindable[]): Promise<readonly ExecutionRow[]> {
    try {
      const records = await database.run<ExecutionRecord>("leases", statement, values, TIMEOUT_MS);
      return await rowsOf(records);
    } catch (error) {
      mayHoldUnknown ||= error instanceof StatementError && error.fate === "lost";
      throw toStoreError(error);
    }
  }

  /** They are this replica's now, whether they can be read or not. */
  async function rowsOf(records: readonly ExecutionRecord[]): Promise<readonly ExecutionRow[]> {
    try {
      return (await readRecords(database, "leases", records)).map(toExecutionRow);
    } catch (error) {
      mayHoldUnknown = true;
      throw error;
    }
  }

  return {
    suspect() {
      mayHoldUnknown = true;
    },
    claim: ({ owner, now, leaseUntil, limit, except, exceptOwner = "", exceptWorkspaces = [] }) =>
      claims.run(async () => {
        const formerOwner = mayHoldUnknown ? owner : null;
        const ids = [...except];
        const values = [now, formerOwner, ids, limit, owner, leaseUntil, exceptOwner, exceptWorkspaces];
        const rows = await take(CLAIM, values);
        // Fewer than asked for: there was nothing else of ours.
        if (rows.length < limit && exceptWorkspaces.length === 0) mayHoldUnknown = false;
        return rows;
      }),
    claimDue: ({ owner, now, leaseUntil, limit, exceptWorkspaces = [] }) =>
      claims.run(() => take(CLAIM_DUE, [now, limit, owner, leaseUntil, exceptWorkspaces])),
    async renew({ owner, leaseUntil }) {
      try {
        await database.run("leases", RENEW, [leaseUntil, owner], TIMEOUT_MS);
      } catch (error) {
        throw toStoreError(error);
      }
    },
  };
}
