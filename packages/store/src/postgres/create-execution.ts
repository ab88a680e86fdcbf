import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";
import type { EventStore, StoreCommit } from "../events/event-store.ts";
import {
  type ExecutionRecord,
  FIRST_EPOCH,
  QUEUED,
  QUEUED_JSON,
  SELECT_EXECUTIONS,
  toExecutionRow,
  toQueuedRow,
  toRequestJson,
} from "../events/execution-record.ts";
import type { ExecutionRow, NewExecution } from "../events/execution-row.ts";
import { keyConflict } from "../events/key-conflict.ts";
import { type TextApart, TextShortener } from "../events/texts-apart.ts";
import { QuotaExceededError } from "../quotas/quota-exceeded.ts";
import { auditColumns, auditPart } from "./audit-part.ts";
import { CommitBatcher, type ItemOutcome } from "./commit-batcher.ts";
import { type Bindable, type Database, type NamedStatement, named } from "./database.ts";
import { StatementError } from "./store-error.ts";
import type { Forms } from "./stored-forms.ts";
import { readRecords } from "./texts-apart.ts";

interface PreparedCreation {
  readonly execution: NewExecution;
  readonly requestJson: string;
  readonly texts: readonly TextApart[];
}

type Created = { readonly execution: ExecutionRow; readonly isNew: boolean };

interface KeyedRecord extends ExecutionRecord {
  readonly scope: string;
  readonly key: string;
  readonly body_hash: string;
}

/**
 * Returns the statement for a group. It inserts nothing for an idempotency key that is still valid, because that key
 * already has an execution, and nothing for a workspace at its limit.
 */
const createWith = (more: string) => `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],
      $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[], $15::bigint[],
      $16::text[]) WITH ORDINALITY
      AS i (id, workspace_id, agent_id, agent_version, started_by_key_id, created_at, owner, lease_until, request,
        scope, key, body_hash, expires_at, max_pending, mode, n)
  ), room AS MATERIALIZED (
    SELECT workspace, pending FROM yagate_pending_executions($2::text[], $15::bigint[])
  ), placed AS (
    SELECT a.*, k.scope IS NOT NULL AS is_known,
      row_number() OVER (PARTITION BY a.workspace_id, k.scope IS NOT NULL ORDER BY a.n) AS place
    FROM asked a
    LEFT JOIN idempotency_keys k ON k.scope = a.scope AND k.key = a.key AND k.expires_at > a.created_at
  ), judged AS MATERIALIZED (
    SELECT p.*, p.is_known OR p.max_pending IS NULL OR r.pending + p.place <= p.max_pending AS has_room
    FROM placed p LEFT JOIN room r ON r.workspace = p.workspace_id
  ), input AS (
    SELECT * FROM judged WHERE has_room
  ), keyed AS (
    INSERT INTO idempotency_keys AS k (scope, key, body_hash, execution_id, created_at, expires_at)
    SELECT scope, key, body_hash, id, created_at, expires_at FROM input WHERE scope IS NOT NULL ORDER BY scope, key
    ON CONFLICT (scope, key) DO UPDATE SET body_hash = excluded.body_hash, execution_id = excluded.execution_id,
      created_at = excluded.created_at, expires_at = excluded.expires_at
      WHERE k.expires_at <= excluded.created_at
    RETURNING execution_id
  ), fresh AS (
    INSERT INTO executions (id, workspace_id, agent_id, agent_version, started_by_key_id, created_at, last_seq, epoch,
      owner, lease_until, is_open, status, summary, stored_bytes, mode)
    SELECT id, workspace_id, agent_id, agent_version, started_by_key_id, created_at, 0, ${FIRST_EPOCH}, owner,
      lease_until, 1, '${QUEUED.status}', $14, octet_length(request), mode
    FROM input WHERE scope IS NULL OR id IN (SELECT execution_id FROM keyed)
    ON CONFLICT (id) DO NOTHING
    RETURNING id, workspace_id, stored_bytes
  ), requested AS (
    INSERT INTO execution_requests (execution_id, request) SELECT i.id, i.request FROM input i JOIN fresh f ON f.id = i.id
  ), counted AS (
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(stored_bytes) FROM fresh GROUP BY workspace_id
  )${more}
  SELECT id, true AS is_made FROM fresh UNION ALL SELECT id, false FROM judged WHERE NOT has_room`;

const CREATE = named(createWith(""));

/** Large texts of requests. */
const TEXTED = `, texted AS (
    INSERT INTO execution_texts (execution_id, workspace_id, hash, text)
    SELECT t.execution_id, f.workspace_id, t.hash, t.text
    FROM unnest($17::text[], $18::text[], $19::text[]) AS t (execution_id, hash, text)
    JOIN fresh f ON f.id = t.execution_id
    RETURNING workspace_id, octet_length(text) AS bytes
  ), text_counted AS (
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM texted GROUP BY workspace_id
  )`;

/** The statement for requests with large texts. */
const LARGE_CREATE = named(createWith(TEXTED));

/** The statement for executions whose creation is in the audit log. */
const AUDITED_CREATE = named(createWith(TEXTED + auditPart((index) => `$${20 + index}`, "fresh")));

const FIND_KEYED = named(`
  SELECT k.scope, k.key, k.body_hash, s.*
  FROM idempotency_keys k JOIN (${SELECT_EXECUTIONS}) s ON s.id = k.execution_id
  JOIN unnest($1::text[], $2::text[]) AS i (scope, key) ON i.scope = k.scope AND i.key = k.key`);

const FIND_MADE = named("SELECT id FROM executions WHERE id = ANY($1::text[])");

/**
 * Returns the batching key of a new execution. Requests with the same idempotency key have the same one, so they are
 * never in the same group.
 */
function keyOf({ id, idempotency }: NewExecution): string {
  return idempotency === undefined ? id : JSON.stringify([idempotency.scope, idempotency.key]);
}

function valuesOf(items: readonly PreparedCreation[]) {
  const of = <Value>(value: (execution: NewExecution) => Value) => items.map(({ execution }) => value(execution));
  return [
    of(({ id }) => id),
    of(({ workspaceId }) => workspaceId),
    of(({ agentId }) => agentId),
    of(({ agentVersion }) => agentVersion),
    of(({ startedByKeyId }) => startedByKeyId),
    of(({ createdAt }) => createdAt),
    of(({ owner }) => owner),
    of(({ leaseUntil }) => leaseUntil),
    items.map(({ requestJson }) => requestJson),
    of(({ idempotency }) => idempotency?.scope ?? null),
    of(({ idempotency }) => idempotency?.key ?? null),
    of(({ idempotency }) => idempotency?.bodyHash ?? null),
    of(({ idempotency }) => idempotency?.expiresAt ?? null),
    QUEUED_JSON,
    of(({ maxPending }) => maxPending ?? null),
    of(({ mode }) => mode ?? null),
  ];
}

function textValuesOf(items: readonly PreparedCreation[]) {
  const texts = items.flatMap(({ execution: { id }, texts }) => texts.map((text) => ({ id, ...text })));
  return [texts.map(({ id }) => id), texts.map(({ hash }) => hash), texts.map(({ text }) => text)];
}

/** Returns the statement of a group with its values. */
function statementOf(items: readonly PreparedCreation[]): readonly [NamedStatement, readonly Bindable[]] {
  if (items.some(({ execution: { audit } }) => audit !== undefined)) {
    const audited = items.map(({ execution: { id: executionId, audit } }) => ({ executionId, audit }));
    return [AUDITED_CREATE, [...valuesOf(items), ...textValuesOf(items), ...auditColumns(audited)]];
  }
  return items.every(({ texts }) => texts.length === 0)
    ? [CREATE, valuesOf(items)]
    : [LARGE_CREATE, [...valuesOf(items), ...textValuesOf(items)]];
}

/**
 * Creates the batcher of new executions, which writes the idempotency record and the row in one commit. The owner must
 * close it.
 */
export function createExecutionBatcher(
  database: Database,
  onCommit?: (commit: StoreCommit) => void,
): CommitBatcher<PreparedCreation, Created> {
  /** Finds the stored records of idempotency keys; the map's keys are those of {@link keyOf}. */
  async function findKeyed(executions: readonly NewExecution[]): Promise<ReadonlyMap<string, KeyedRecord>> {
    const keys = executions.flatMap(({ idempotency }) => idempotency ?? []);
    if (keys.length === 0) return new Map();
    const found = await database.run<KeyedRecord>("writes", FIND_KEYED, [
      keys.map(({ scope }) => scope),
      keys.map(({ key }) => key),
    ]);
    const rows = await readRecords(database, "writes", found);
    return new Map(rows.map((row) => [JSON.stringify([row.scope, row.key]), row]));
  }

  async function findMade(executions: readonly NewExecution[]): Promise<ReadonlySet<string>> {
    const ids = executions.map(({ id }) => id);
    const rows = await database.run<{ id: string }>("writes", FIND_MADE, [ids]);
    return new Set(rows.map(({ id }) => id));
  }

  return new CommitBatcher({
    keyOf: ({ execution }) => keyOf(execution),
    bytesOf: ({ requestJson, texts }) => texts.reduce((sum, { text }) => sum + text.length, requestJson.length),
    async perform(items, isRepeat) {
      const rows = await database.run<{ id: string; is_made: boolean }>("writes", ...statementOf(items));
      const fresh = new Set(rows.filter(({ is_made }) => is_made).map(({ id }) => id));
      const refused = new Set(rows.filter(({ is_made }) => !is_made).map(({ id }) => id));
      const others = items.map(({ execution }) => execution).filter(({ id }) => !fresh.has(id));
      if (others.length === 0) return items.map(toCreated);
      // The commit is acknowledged only after these reads. If they fail, the repetition finds the executions.
      const [known, made] = await orLost(
        Promise.all([findKeyed(others), isRepeat ? findMade(others) : new Set<string>()]),
      );
      return items.map((item) => {
        if (fresh.has(item.execution.id) || made.has(item.execution.id)) return toCreated(item);
        // Another replica created the execution while this one was waiting for the lock, so it exists and is not
        // rejected.
        const found = known.get(keyOf(item.execution));
        if (found === undefined && refused.has(item.execution.id)) return { error: refusalOf(item) };
        return outcomeOf(item, found);
      });
    },
    maxInFlight: 1,
    ...defined({ onCommit }),
  });
}

/**
 * Converts the failure of a read that follows a commit: as after a lost commit, the outcome of the group is then
 * unknown.
 */
async function orLost<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw new StatementError("lost", error);
  }
}

/** Creates the error for a workspace at its limit. The statement counts only up to the limit. */
function refusalOf({ execution: { maxPending } }: PreparedCreation): YagateError {
  const limit = maxPending ?? 0;
  return new QuotaExceededError({ quota: "pendingExecutions", limit, used: limit });
}

function toCreated({ execution }: PreparedCreation): ItemOutcome<Created> {
  return { result: { execution: toQueuedRow(execution), isNew: true } };
}

function outcomeOf({ execution }: PreparedCreation, known: KeyedRecord | undefined): ItemOutcome<Created> {
  if (execution.idempotency === undefined || known === undefined) {
    return { error: new YagateError("INTERNAL", "expected a new execution id") };
  }
  if (known.body_hash !== execution.idempotency.bodyHash) {
    return { error: keyConflict() };
  }
  return { result: { execution: toExecutionRow(known), isNew: false } };
}

/**
 * Creates `EventStore.create`, which writes through a batcher.
 *
 * @param forms - returns what may currently be written.
 * @param onUnknown - called if the creation of an execution failed, but the execution may still be in the database.
 */
export function createExecutionCreator(
  batcher: CommitBatcher<PreparedCreation, Created>,
  forms: () => Pick<Forms, "storesApart" | "storesReplays">,
  onUnknown: () => void,
): EventStore["create"] {
  return async (execution) => {
    const { storesApart, storesReplays } = forms();
    if (execution.mode !== undefined || execution.replay !== undefined) assertReplays(storesReplays);
    try {
      const requestJson = toRequestJson(execution);
      const shortener = new TextShortener();
      const shortJson = shortener.shorten(requestJson);
      const isApart = shortJson !== requestJson && storesApart;
      return await batcher.write(
        isApart ? { execution, requestJson: shortJson, texts: shortener.texts } : { execution, requestJson, texts: [] },
      );
    } catch (error) {
      if (YagateError.is(error) && error.code === "UNAVAILABLE") onUnknown();
      throw error;
    }
  };
}

/** A replica of an older version would run such an execution as if it were live, and send its calls. */
function assertReplays(storesReplays: boolean): void {
  if (storesReplays) return;
  throw new YagateError("UNAVAILABLE", "recordings and replays need a finished migration of the database", {
    hint: "stop the gateways of older versions and run yagate migrate --finish",
  });
}
