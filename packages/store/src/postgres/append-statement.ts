import { hasEnded } from "@yagate/protocol";
import type { PreparedAppend } from "../events/prepared-append.ts";
import { AUDIT_SIZE, auditColumns, auditPart } from "./audit-part.ts";
import { type Bindable, type NamedStatement, named } from "./database.ts";
import { INPUTS, INPUTS_SIZE, inputRowsOf } from "./input-part.ts";
import { EXCHANGE_BYTES } from "./stored-bytes.ts";

/** An append of a group. */
export interface TokenedAppend extends PreparedAppend {
  /** Identifies the rows that this append wrote. */
  readonly token: number;
}

/**
 * One statement per group: no lock is held between round trips, so a frozen process holds none. Rows are locked in the
 * order of their ids, so two groups never deadlock.
 */
const WRITES = `
  WITH input AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[])
      AS i (id, expected_seq, last_seq, epoch, token, is_end, status, summary, entries, link, exchanged_at, exchanges)
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
    RETURNING e.id, e.workspace_id, e.stored_bytes, i.last_seq, i.token, i.entries, i.link, i.exchanged_at, i.exchanges
  ), appended AS (
    INSERT INTO appends (execution_id, last_seq, token, entries, link, exchanged_at, exchanges)
    SELECT id, last_seq, token, entries, link, exchanged_at, exchanges FROM advanced
  ), counted AS (
    -- An execution that is not counted yet is counted completely later, but messages are counted only here.
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM (
      SELECT workspace_id, octet_length(entries) + coalesce(octet_length(link), 0) AS bytes
      FROM advanced WHERE stored_bytes IS NOT NULL
      UNION ALL SELECT workspace_id, octet_length(exchanges) FROM advanced WHERE exchanges IS NOT NULL
    ) AS stored GROUP BY workspace_id
  )`;

/**
 * A part of the statement that only some groups need, as one or more expressions that follow {@link WRITES}.
 *
 * @param at - returns the placeholder of an array of the part, starting at 0.
 */
type Part = (at: (index: number) => string) => string;

/** Rows of form 1, and rows for ids that do not contain their execution. */
const OLDER_ROWS: Part = (at) => `, indexed AS (
    INSERT INTO call_ids (id, execution_id, tool_call_id)
    SELECT c.id, c.execution_id, c.tool_call_id
    FROM unnest(${at(0)}::text[], ${at(1)}::text[], ${at(2)}::text[]) AS c (id, execution_id, tool_call_id)
    JOIN advanced a ON a.id = c.execution_id
    ON CONFLICT (id) DO NOTHING
  ), exchanged AS (
    INSERT INTO exchanges (attempt_id, workspace_id, request, response, created_at)
    SELECT x.attempt_id, a.workspace_id, x.request, x.response, x.created_at
    FROM unnest(${at(3)}::text[], ${at(4)}::text[], ${at(5)}::text[], ${at(6)}::text[], ${at(7)}::bigint[])
      AS x (execution_id, attempt_id, request, response, created_at)
    JOIN advanced a ON a.id = x.execution_id
    ON CONFLICT (attempt_id) DO UPDATE SET workspace_id = excluded.workspace_id, request = excluded.request,
      response = excluded.response, created_at = excluded.created_at
    RETURNING workspace_id, ${EXCHANGE_BYTES} AS bytes
  ), exchange_counted AS (
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM exchanged GROUP BY workspace_id
  )`;

/** Approval requests, and decisions on them. */
const APPROVALS: Part = (at) => `, asked AS (
    INSERT INTO approvals (id, workspace_id, execution_id, tool_call_id, status, requested_at, expires_at, details,
      resolution)
    SELECT p.id, p.workspace_id, p.execution_id, p.tool_call_id, p.status, p.requested_at, p.expires_at, p.details,
      p.resolution
    FROM unnest(${at(0)}::text[], ${at(1)}::text[], ${at(2)}::text[], ${at(3)}::text[], ${at(4)}::bigint[],
      ${at(5)}::bigint[], ${at(6)}::text[], ${at(7)}::text[], ${at(8)}::text[])
      AS p (id, workspace_id, execution_id, tool_call_id, requested_at, expires_at, status, details, resolution)
    JOIN advanced a ON a.id = p.execution_id
  ), resolved AS (
    UPDATE approvals p SET status = r.status, resolution = r.resolution
    FROM unnest(${at(9)}::text[], ${at(10)}::text[], ${at(11)}::text[], ${at(12)}::text[])
      AS r (execution_id, id, status, resolution)
    JOIN advanced a ON a.id = r.execution_id
    WHERE p.id = r.id
  )`;

/** The audit log entries of commands. */
const AUDIT: Part = (at) => auditPart(at, "advanced");

/** Large texts. */
const TEXTS: Part = (at) => `, texted AS (
    INSERT INTO execution_texts (execution_id, workspace_id, hash, text)
    SELECT t.execution_id, a.workspace_id, t.hash, t.text
    FROM unnest(${at(0)}::text[], ${at(1)}::text[], ${at(2)}::text[]) AS t (execution_id, hash, text)
    JOIN advanced a ON a.id = t.execution_id
    ON CONFLICT (execution_id, hash) DO NOTHING
    RETURNING workspace_id, octet_length(text) AS bytes
  ), text_counted AS (
    INSERT INTO stored_bytes_changes (workspace_id, bytes)
    SELECT workspace_id, sum(bytes) FROM texted GROUP BY workspace_id
  )`;

const OUTCOMES = `
  SELECT l.id, l.epoch, a.id IS NOT NULL AS is_advanced, l.wake_at IS NOT NULL AS is_suspended,
    a.id IS NOT NULL AND l.wake_at IS NOT NULL AS is_due
  FROM locked l LEFT JOIN advanced a ON a.id = l.id`;

const WRITES_VALUES = 12;

const PARTS = [
  { part: OLDER_ROWS, size: 8, rowsOf: olderRowsOf },
  { part: APPROVALS, size: 13, rowsOf: approvalRowsOf },
  { part: AUDIT, size: AUDIT_SIZE, rowsOf: auditRowsOf },
  { part: TEXTS, size: 3, rowsOf: textRowsOf },
  { part: INPUTS, size: INPUTS_SIZE, rowsOf: inputRowsOf },
] as const;

/** Statements by the parts that they contain, as bits. */
const statements = new Map<number, NamedStatement>();

function statementWith(parts: number): NamedStatement {
  const known = statements.get(parts);
  if (known !== undefined) return known;
  let text = WRITES;
  let place = WRITES_VALUES + 1;
  for (const [index, { part, size }] of PARTS.entries()) {
    if ((parts & (1 << index)) === 0) continue;
    const first = place;
    text += part((at) => `$${first + at}`);
    place += size;
  }
  const statement = named(`${text}${OUTCOMES}`);
  statements.set(parts, statement);
  return statement;
}

/** Returns the statement of a group with its values. */
export function appendStatement(items: readonly TokenedAppend[]): readonly [NamedStatement, readonly Bindable[]] {
  const values: Bindable[] = valuesOf(items);
  let parts = 0;
  for (const [index, { rowsOf }] of PARTS.entries()) {
    const columns = rowsOf(items);
    if (columns.every((column) => column.length === 0)) continue;
    parts |= 1 << index;
    values.push(...columns);
  }
  return [statementWith(parts), values];
}

function valuesOf(items: readonly TokenedAppend[]) {
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
    items.map(({ link }) => link),
    items.map(({ exchangesJson, createdAt }) => (exchangesJson === null ? null : createdAt)),
    items.map(({ exchangesJson }) => exchangesJson),
  ];
}

/** The columns of a part: one array for each of its placeholders. */
type Columns = readonly (readonly (string | number | null)[])[];

function olderRowsOf(items: readonly TokenedAppend[]): Columns {
  const callIds = items.flatMap((item) => item.callIds);
  // The last exchange of each attempt, because a statement can write a row only once.
  const byAttempt = new Map(
    items.flatMap(({ append, exchanges, createdAt }) =>
      exchanges.map(([attemptId, request, response]) => [
        attemptId,
        { executionId: append.executionId, attemptId, request, response, createdAt },
      ]),
    ),
  );
  const exchanges = [...byAttempt.values()];
  return [
    callIds.map(([id]) => id),
    callIds.map(([, executionId]) => executionId),
    callIds.map(([, , toolCallId]) => toolCallId),
    exchanges.map(({ executionId }) => executionId),
    exchanges.map(({ attemptId }) => attemptId),
    exchanges.map(({ request }) => request),
    exchanges.map(({ response }) => response),
    exchanges.map(({ createdAt }) => createdAt),
  ];
}

function approvalRowsOf(items: readonly TokenedAppend[]): Columns {
  const asked = items.flatMap(({ approvals }) => approvals);
  const resolved = items.flatMap(({ append: { executionId }, resolutions }) =>
    resolutions.map((resolution) => ({ executionId, ...resolution })),
  );
  return [
    asked.map(({ approval }) => approval.id),
    asked.map(({ approval }) => approval.workspaceId),
    asked.map(({ approval }) => approval.executionId),
    asked.map(({ approval }) => approval.toolCallId),
    asked.map(({ approval }) => approval.requestedAt),
    asked.map(({ approval }) => approval.expiresAt),
    asked.map(({ resolution }) => resolution?.status ?? "pending"),
    asked.map(({ detailsJson }) => detailsJson),
    asked.map(({ resolution }) => resolution?.resolutionJson ?? null),
    resolved.map(({ executionId }) => executionId),
    resolved.map(({ approvalId }) => approvalId),
    resolved.map(({ status }) => status),
    resolved.map(({ resolutionJson }) => resolutionJson),
  ];
}

function auditRowsOf(items: readonly TokenedAppend[]): Columns {
  return auditColumns(items.map(({ append }) => append));
}

function textRowsOf(items: readonly TokenedAppend[]): Columns {
  const texts = items.flatMap(({ append: { executionId }, texts }) => texts.map((text) => ({ executionId, ...text })));
  return [texts.map(({ executionId }) => executionId), texts.map(({ hash }) => hash), texts.map(({ text }) => text)];
}
