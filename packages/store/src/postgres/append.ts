import { randomBytes } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import { hasEnded, YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { Append, AppendOutcome, EventEntry, EventStore, StoreCommit } from "../events/event-store.ts";
import { type PreparedAppend, prepareAppend, withTextsApart } from "../events/prepared-append.ts";
import type { TextApart } from "../events/texts-apart.ts";
import type { AuditRow } from "../tables/audit.ts";
import { CommitBatcher, type ItemOutcome } from "./commit-batcher.ts";
import { type Bindable, type Database, type NamedStatement, named } from "./database.ts";
import { EXCHANGE_BYTES } from "./stored-bytes.ts";

/** Maximum number of concurrent groups: one can be sent while another waits for the disk. */
const MAX_IN_FLIGHT = 2;
const TOKEN_BYTES = 6;

interface TokenedAppend extends PreparedAppend {
  /** Identifies the rows that this append wrote. */
  readonly token: number;
}

interface AppendRecord {
  readonly id: string;
  readonly epoch: number;
  readonly is_advanced: boolean;
  /** Whether this append made the suspended execution due. */
  readonly is_due: boolean;
  /** Whether the execution is suspended, so it has no owner. */
  readonly is_suspended: boolean;
}

/** The outcome of an append, and whether it made its execution due. */
interface Appended {
  readonly outcome: AppendOutcome;
  readonly isDue: boolean;
}

/** A row of `call_ids`: a tool call, or an attempt with its call. */
type CallId = readonly [id: string, executionId: string, toolCallId: string | null];

/**
 * One statement per group: no lock is held between round trips, so a frozen process holds none. Rows are locked in the
 * order of their ids, so two groups never deadlock.
 */
const WRITES = `
  WITH input AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $7::text[],
      $8::text[], $9::text[], $31::text[])
      AS i (id, expected_seq, last_seq, epoch, token, is_end, status, summary, entries, link)
  ), locked AS MATERIALIZED (
    SELECT e.id, e.last_seq, e.epoch, e.wake_at FROM executions e JOIN input i ON i.id = e.id
    ORDER BY e.id FOR UPDATE OF e
  ), advanced AS (
    UPDATE executions e SET last_seq = i.last_seq, status = i.status, summary = i.summary,
      stored_bytes = e.stored_bytes + octet_length(i.entries) + coalesce(octet_length(i.link), 0),
      is_open = CASE i.is_end WHEN 1 THEN 0 ELSE e.is_open END,
      owner = CASE i.is_end WHEN 1 THEN NULL ELSE e.owner END,
      lease_until = CASE i.is_end WHEN 1 THEN 0 ELSE e.lease_until END,
      wake_at = CASE WHEN e.wake_at IS NOT NULL THEN 0 END
    FROM input i JOIN locked l ON l.id = i.id
    WHERE e.id = i.id AND l.last_seq = i.expected_seq
      -- After a suspension the former owner can no longer append, although the epoch is the same.
      AND (i.epoch IS NULL OR (l.epoch = i.epoch AND l.wake_at IS NULL))
    RETURNING e.id, e.workspace_id, e.stored_bytes, i.last_seq, i.token, i.entries, i.link
  ), appended AS (
    INSERT INTO appends (execution_id, last_seq, token, entries, link)
    SELECT id, last_seq, token, entries, link FROM advanced
  ), indexed AS (
    INSERT INTO call_ids (id, execution_id, tool_call_id)
    SELECT c.id, c.execution_id, c.tool_call_id
    FROM unnest($10::text[], $11::text[], $12::text[]) AS c (id, execution_id, tool_call_id)
    JOIN advanced a ON a.id = c.execution_id
    ON CONFLICT (id) DO NOTHING
  ), exchanged AS (
    INSERT INTO exchanges (attempt_id, workspace_id, request, response, created_at)
    SELECT x.attempt_id, a.workspace_id, x.request, x.response, x.created_at
    FROM unnest($13::text[], $14::text[], $15::text[], $16::text[], $17::bigint[])
      AS x (execution_id, attempt_id, request, response, created_at)
    JOIN advanced a ON a.id = x.execution_id
    ON CONFLICT (attempt_id) DO UPDATE SET workspace_id = excluded.workspace_id, request = excluded.request,
      response = excluded.response, created_at = excluded.created_at
    RETURNING workspace_id, ${EXCHANGE_BYTES} AS bytes
  ), counted AS (
    -- An execution that is not counted yet is counted completely later.
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM (
      SELECT workspace_id, octet_length(entries) + coalesce(octet_length(link), 0) AS bytes
      FROM advanced WHERE stored_bytes IS NOT NULL
      UNION ALL SELECT workspace_id, bytes FROM exchanged
    ) AS stored GROUP BY workspace_id
  ), asked AS (
    INSERT INTO approvals (id, workspace_id, execution_id, tool_call_id, status, requested_at, expires_at, details,
      resolution)
    SELECT p.id, p.workspace_id, p.execution_id, p.tool_call_id, p.status, p.requested_at, p.expires_at, p.details,
      p.resolution
    FROM unnest($18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::bigint[], $24::bigint[],
      $25::text[], $26::text[])
      AS p (execution_id, id, workspace_id, tool_call_id, status, requested_at, expires_at, details, resolution)
    JOIN advanced a ON a.id = p.execution_id
  ), resolved AS (
    UPDATE approvals p SET status = r.status, resolution = r.resolution
    FROM unnest($27::text[], $28::text[], $29::text[], $30::text[]) AS r (execution_id, id, status, resolution)
    JOIN advanced a ON a.id = r.execution_id
    WHERE p.id = r.id
  )`;

const OUTCOMES = `
  SELECT l.id, l.epoch, a.id IS NOT NULL AS is_advanced, l.wake_at IS NOT NULL AS is_suspended,
    a.id IS NOT NULL AND l.wake_at IS NOT NULL AS is_due
  FROM locked l LEFT JOIN advanced a ON a.id = l.id`;

/** Added for a group with audited commands. Other appends do not need it. */
const AUDITED = `, audited AS (
    INSERT INTO audit_entries (id, workspace_id, at, action, resource_type, resource_id, key_id, entry)
    SELECT u.id, u.workspace_id, u.at, u.action, u.resource_type, u.resource_id, u.key_id, u.entry
    FROM unnest($32::text[], $33::text[], $34::text[], $35::bigint[], $36::text[], $37::text[], $38::text[], $39::text[],
      $40::text[])
      AS u (execution_id, id, workspace_id, at, action, resource_type, resource_id, key_id, entry)
    JOIN advanced a ON a.id = u.execution_id
  )`;

/** Returns the part of the statement for a group with large texts. @param place - the number of its first parameter. */
const textsFrom = (place: number) => `, texted AS (
    INSERT INTO execution_texts (execution_id, workspace_id, hash, text)
    SELECT t.execution_id, a.workspace_id, t.hash, t.text
    FROM unnest($${place}::text[], $${place + 1}::text[], $${place + 2}::text[]) AS t (execution_id, hash, text)
    JOIN advanced a ON a.id = t.execution_id
    ON CONFLICT (execution_id, hash) DO NOTHING
    RETURNING workspace_id, octet_length(text) AS bytes
  ), text_counted AS (
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM texted GROUP BY workspace_id
  )`;

const APPEND = named(`${WRITES}${OUTCOMES}`);
const AUDITED_APPEND = named(`${WRITES}${AUDITED}${OUTCOMES}`);
const LARGE_APPEND = named(`${WRITES}${textsFrom(32)}${OUTCOMES}`);
const LARGE_AUDITED_APPEND = named(`${WRITES}${AUDITED}${textsFrom(41)}${OUTCOMES}`);

const FIND_OWN = named(`
  SELECT a.execution_id FROM appends a
  JOIN unnest($1::text[], $2::bigint[], $3::bigint[]) AS i (id, last_seq, token)
    ON a.execution_id = i.id AND a.last_seq = i.last_seq AND a.token = i.token`);

function callIdOf({ event }: EventEntry): CallId | undefined {
  if (event.type === "tool_call.requested") return [event.toolCallId, event.executionId, null];
  if (event.type === "attempt.started") return [event.attemptId, event.executionId, event.toolCallId];
  return undefined;
}

/** Returns the last exchange of each attempt, because a statement can write a row only once. */
function exchangesOf(items: readonly TokenedAppend[]) {
  const byAttempt = new Map(
    items.flatMap(({ append, exchanges, createdAt }) =>
      exchanges.map(([attemptId, request, response]) => [
        attemptId,
        { executionId: append.executionId, attemptId, request, response, createdAt },
      ]),
    ),
  );
  return [...byAttempt.values()];
}

function valuesOf(items: readonly TokenedAppend[]) {
  const entries = items.flatMap(({ append }) => append.entries);
  const callIds = entries.map(callIdOf).filter((callId) => callId !== undefined);
  const exchanges = exchangesOf(items);
  const asked = items.flatMap(({ approvals }) => approvals);
  const resolved = items.flatMap(({ append: { executionId }, resolutions }) =>
    resolutions.map((resolution) => ({ executionId, ...resolution })),
  );
  return [
    items.map(({ append }) => append.executionId),
    items.map(({ append }) => append.expectedSeq),
    items.map(({ lastSeq }) => lastSeq),
    items.map(({ append }) => append.epoch ?? null),
    items.map(({ token }) => token),
    items.map(({ append }) => (hasEnded(append.summary.status) ? 1 : 0)),
    items.map(({ append }) => append.summary.status),
    items.map(({ summaryJson }) => summaryJson),
    items.map(({ entriesJson }) => entriesJson),
    callIds.map(([id]) => id),
    callIds.map(([, executionId]) => executionId),
    callIds.map(([, , toolCallId]) => toolCallId),
    exchanges.map(({ executionId }) => executionId),
    exchanges.map(({ attemptId }) => attemptId),
    exchanges.map(({ request }) => request),
    exchanges.map(({ response }) => response),
    exchanges.map(({ createdAt }) => createdAt),
    asked.map(({ approval }) => approval.executionId),
    asked.map(({ approval }) => approval.id),
    asked.map(({ approval }) => approval.workspaceId),
    asked.map(({ approval }) => approval.toolCallId),
    asked.map(({ resolution }) => resolution?.status ?? "pending"),
    asked.map(({ approval }) => approval.requestedAt),
    asked.map(({ approval }) => approval.expiresAt),
    asked.map(({ detailsJson }) => detailsJson),
    asked.map(({ resolution }) => resolution?.resolutionJson ?? null),
    resolved.map(({ executionId }) => executionId),
    resolved.map(({ approvalId }) => approvalId),
    resolved.map(({ status }) => status),
    resolved.map(({ resolutionJson }) => resolutionJson),
    items.map(({ link }) => link),
  ];
}

function auditValuesOf(audited: readonly (AuditRow & { readonly executionId: string })[]) {
  return [
    audited.map(({ executionId }) => executionId),
    audited.map(({ id }) => id),
    audited.map(({ workspaceId }) => workspaceId),
    audited.map(({ at }) => at),
    audited.map(({ action }) => action),
    audited.map(({ resourceType }) => resourceType),
    audited.map(({ resourceId }) => resourceId),
    audited.map(({ keyId }) => keyId),
    audited.map(({ entry }) => entry),
  ];
}

function outcomeOf({ append: { epoch } }: TokenedAppend, record: AppendRecord | undefined): ItemOutcome<Appended> {
  if (record === undefined) return { error: new YagateError("NOT_FOUND", "no such execution") };
  if (record.is_advanced) return { result: { outcome: "appended", isDue: record.is_due } };
  const isOwn = epoch === undefined || (epoch === record.epoch && !record.is_suspended);
  return { result: { outcome: isOwn ? "behind" : "taken_over", isDue: false } };
}

function textValuesOf(texts: readonly (TextApart & { readonly executionId: string })[]) {
  return [texts.map(({ executionId }) => executionId), texts.map(({ hash }) => hash), texts.map(({ text }) => text)];
}

/** Returns the statement of a group with its values. */
function statementOf(items: readonly TokenedAppend[]): readonly [NamedStatement, readonly Bindable[]] {
  const audited = items.flatMap(({ append: { executionId, audit } }) => (audit ? [{ executionId, ...audit }] : []));
  const texts = items.flatMap(({ append: { executionId }, texts }) => texts.map((text) => ({ executionId, ...text })));
  const values = valuesOf(items);
  if (audited.length === 0) {
    return texts.length === 0 ? [APPEND, values] : [LARGE_APPEND, [...values, ...textValuesOf(texts)]];
  }
  const auditValues = [...values, ...auditValuesOf(audited)];
  return texts.length === 0
    ? [AUDITED_APPEND, auditValues]
    : [LARGE_AUDITED_APPEND, [...auditValues, ...textValuesOf(texts)]];
}

/** Creates the batcher of appends. The owner must close it. */
export function createAppendBatcher(
  database: Database,
  onCommit?: (commit: StoreCommit) => void,
): CommitBatcher<TokenedAppend, Appended> {
  /** Returns the items that an earlier attempt wrote. */
  async function findOwn(items: readonly TokenedAppend[]): Promise<ReadonlySet<string>> {
    const rows = await database.run<{ execution_id: string }>("writes", FIND_OWN, [
      items.map(({ append }) => append.executionId),
      items.map(({ lastSeq }) => lastSeq),
      items.map(({ token }) => token),
    ]);
    return new Set(rows.map(({ execution_id }) => execution_id));
  }

  return new CommitBatcher({
    keyOf: ({ append }) => append.executionId,
    bytesOf: ({ entriesJson, summaryJson, texts }) =>
      texts.reduce((sum, { text }) => sum + text.length, entriesJson.length + summaryJson.length),
    async perform(items, isRepeat) {
      const rows = await database.run<AppendRecord>("writes", ...statementOf(items));
      const records = new Map(rows.map((row) => [row.id, row]));
      const own = isRepeat ? await findOwn(items) : new Set<string>();
      return items.map((item) => {
        // The attempt whose response was lost may have made the execution due.
        if (own.has(item.append.executionId)) {
          return { result: { outcome: "appended", isDue: item.append.epoch === undefined } };
        }
        return outcomeOf(item, records.get(item.append.executionId));
      });
    },
    maxInFlight: MAX_IN_FLIGHT,
    ...defined({ onCommit }),
  });
}

/** Creates `EventStore.append`, which writes through a batcher. */
export function createAppender(options: {
  readonly batcher: CommitBatcher<TokenedAppend, Appended>;
  readonly now: () => EpochMs;
  /** Returns whether large texts may currently be stored separately. */
  readonly storesApart: () => Promise<boolean>;
  /** Called after each durable append of this process. `isDue`: the append made a suspended execution due. */
  readonly onAppended: (append: Append, isDue: boolean) => void;
}): EventStore["append"] {
  return async (append) => {
    const token = randomBytes(TOKEN_BYTES).readUIntBE(0, TOKEN_BYTES);
    const prepared = prepareAppend(append, options.now());
    const shortened = withTextsApart(prepared);
    const isApart = shortened !== prepared && (await options.storesApart());
    const { outcome, isDue } = await options.batcher.write({ ...(isApart ? shortened : prepared), token });
    if (outcome === "appended") options.onAppended(append, isDue);
    return outcome;
  };
}
