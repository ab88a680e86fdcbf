import type { EventStore } from "../events/event-store.ts";
import { type ExecutionRecord, toExecutionRow } from "../events/execution-record.ts";
import type { ExecutionRow } from "../events/execution-row.ts";
import { NEWEST_FORM } from "../events/stored-form.ts";
import { type Bindable, type Database, type NamedStatement, named } from "./database.ts";
import { InSequence } from "./in-sequence.ts";
import { StatementError, toStoreError } from "./store-error.ts";
import { assertReadable, MIN_READER } from "./stored-forms.ts";
import { readRecords } from "./texts-apart.ts";

/** A claimed execution, or none, with the oldest form that every reader must be able to read. */
type ClaimRecord = { readonly min_reader: number } & (ExecutionRecord | { readonly id: null });

const isExecution = (record: ClaimRecord): record is ClaimRecord & ExecutionRecord => record.id !== null;

/** Bounds the cost of a claim: only the executions whose leases expired first are considered. */
const MAX_CANDIDATES = 10_000;
/** Less than half the duration of a lease, so that a failed renewal can be repeated in time. */
const TIMEOUT_MS = 3_000;

/** The condition for every claim: this process must be able to read whatever form the replicas write. */
const IS_READABLE = `(SELECT value::bigint FROM settings WHERE name = '${MIN_READER}') <= ${NEWEST_FORM}`;

/** The end of both claims. If nothing is claimed, it returns one row without an execution. */
const CLAIMED = `
  SELECT s.value::integer AS min_reader, c.*, r.request FROM settings s
  LEFT JOIN (claimed c JOIN execution_requests r ON r.execution_id = c.id JOIN ranked t ON t.id = c.id) ON true
  WHERE s.name = '${MIN_READER}' ORDER BY t.place, t.id`;

/**
 * Claims the first execution of each workspace before the second of any workspace. Rows that another replica is
 * claiming are skipped.
 */
const CLAIM = named(`
  WITH lapsed AS (
    SELECT id, workspace_id, lease_until FROM executions
    WHERE ${IS_READABLE} AND is_open = 1 AND (lease_until >= 0 AND lease_until < $1 OR owner = $2) AND id <> ALL($3::text[])
      AND owner IS DISTINCT FROM $7 AND workspace_id <> ALL($8::text[])
    ORDER BY lease_until LIMIT ${MAX_CANDIDATES}
  ), ranked AS (
    SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY lease_until, id) AS place FROM lapsed
  ), taken AS (
    SELECT e.id FROM executions e JOIN ranked t ON t.id = e.id
    WHERE e.is_open = 1 AND (e.lease_until >= 0 AND e.lease_until < $1 OR e.owner = $2)
    ORDER BY t.place, t.id LIMIT $4 FOR UPDATE OF e SKIP LOCKED
  ), claimed AS (
    UPDATE executions e SET owner = $5, lease_until = $6, epoch = e.epoch + 1 FROM taken t WHERE t.id = e.id
    RETURNING e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
      e.status, e.summary
  )${CLAIMED}`);

/** Claims suspended executions that are due, in the same order as {@link CLAIM}. */
const CLAIM_DUE = named(`
  WITH due AS (
    SELECT id, workspace_id, wake_at FROM executions
    WHERE ${IS_READABLE} AND wake_at <= $1 AND workspace_id <> ALL($5::text[])
    ORDER BY wake_at LIMIT ${MAX_CANDIDATES}
  ), ranked AS (
    SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY wake_at, id) AS place FROM due
  ), taken AS (
    SELECT e.id FROM executions e JOIN ranked t ON t.id = e.id
    WHERE e.wake_at <= $1
    ORDER BY t.place, t.id LIMIT $2 FOR UPDATE OF e SKIP LOCKED
  ), claimed AS (
    UPDATE executions e SET owner = $3, lease_until = $4, epoch = e.epoch + 1, wake_at = NULL
    FROM taken t WHERE t.id = e.id
    RETURNING e.id, e.workspace_id, e.agent_id, e.agent_version, e.started_by_key_id, e.created_at, e.last_seq, e.epoch,
      e.status, e.summary
  )${CLAIMED}`);

const RENEW = named(`
  UPDATE executions SET lease_until = $1 WHERE id IN (
    SELECT id FROM executions WHERE owner = $2 AND is_open = 1 ORDER BY id FOR UPDATE)`);

/** Decides which replica advances an execution. */
export interface Leases extends Pick<EventStore, "claim" | "claimDue" | "renew"> {
  /**
   * Call this after a write whose outcome is unknown: this replica may own rows that it does not know of, and each
   * renewal would extend their leases. The next claim looks for such rows.
   */
  suspect(): void;
}

export function createLeases(database: Database): Leases {
  const claims = new InSequence();
  let mayHoldUnknown = false;

  async function take(statement: NamedStatement, values: readonly Bindable[]): Promise<readonly ExecutionRow[]> {
    try {
      const records = await database.run<ClaimRecord>("leases", statement, values, TIMEOUT_MS);
      assertReadable(records[0]?.min_reader);
      return await rowsOf(records.filter(isExecution));
    } catch (error) {
      mayHoldUnknown ||= error instanceof StatementError && error.fate === "lost";
      throw toStoreError(error);
    }
  }

  /** Converts claimed records to rows. Even if reading them fails, this replica already owns them. */
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
        // Fewer rows than the limit were found, so this replica owns no other unknown rows.
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
