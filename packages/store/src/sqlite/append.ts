import { hasEnded, YagateError } from "@yagate/protocol";
import type { EpochMs } from "../epoch-ms.ts";
import type { Append, AppendOutcome, EventStore } from "../events/event-store.ts";
import {
  type PreparedAppend,
  type PreparedApproval,
  prepareAppend,
  withTextsApart,
} from "../events/prepared-append.ts";
import type { Publisher } from "../events/publisher.ts";
import type { StoredForm } from "../events/stored-form.ts";
import type { AuditRow } from "../tables/audit.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createInputWriter } from "./write-inputs.ts";

interface AppenderOptions {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly publisher: Publisher;
  /** Called after the commit of an append. */
  readonly onAppended: (append: Append) => void;
  readonly now: () => EpochMs;
  readonly form: StoredForm;
  /** Called with the workspace of each execution that has ended. */
  readonly onEnded: (workspaceId: string) => void;
  /** Called when a command made a suspended execution due. */
  readonly onDue: () => void;
}

/** The outcome of an append, and whether it made its execution due. */
interface Performed {
  readonly outcome: AppendOutcome;
  readonly isDue: boolean;
  /** The workspace, if the append ended the execution. */
  readonly endedIn?: string;
}

/** Creates `EventStore.append`: one conditional update of the execution's row, then its entries. */
export function createAppender({
  connection,
  commits,
  publisher,
  onAppended,
  now,
  form,
  onEnded,
  onDue,
}: AppenderOptions): EventStore["append"] {
  // After a suspension, the former owner can no longer append, even if its epoch is still the current one.
  const isExpected = "WHERE id = ? AND last_seq = ? AND (? IS NULL OR (epoch = ? AND wake_at IS NULL))";
  const advance = connection.prepare(`UPDATE executions SET last_seq = ?, status = ?, summary = ? ${isExpected}`);
  // A separate statement: SQLite would update the index at every append if the statement of an append named the indexed
  // columns.
  const finish = connection.prepare(
    `UPDATE executions SET last_seq = ?, status = ?, summary = ?, is_open = 0, owner = NULL, lease_until = 0 ${isExpected}`,
  );
  const wake = connection.prepare("UPDATE executions SET wake_at = 0 WHERE id = ? AND wake_at IS NOT NULL");
  // Not a RETURNING clause of the updates: it takes ten times as long as this statement.
  const find = connection.prepare<{ workspace_id: string; epoch: number; wake_at: number | null }>(
    "SELECT workspace_id, epoch, wake_at FROM executions WHERE id = ?",
  );
  const insertAppend = connection.prepare(
    "INSERT INTO appends (execution_id, last_seq, entries, link, exchanged_at, exchanges) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const insertText = connection.prepare("INSERT OR IGNORE INTO execution_texts VALUES (?, ?, ?)");
  const insertCallId = connection.prepare("INSERT OR IGNORE INTO call_ids VALUES (?, ?, ?)");
  const insertExchange = connection.prepare(
    "INSERT OR REPLACE INTO exchanges (attempt_id, request, response, created_at) VALUES (?, ?, ?, ?)",
  );
  const insertApproval = connection.prepare(
    `INSERT INTO approvals (id, workspace_id, execution_id, tool_call_id, status, requested_at, expires_at, details,
       resolution)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertAudit = connection.prepare(INSERT_AUDIT);
  const resolveApproval = connection.prepare("UPDATE approvals SET status = ?, resolution = ? WHERE id = ?");

  const writeInputs = createInputWriter(connection);

  function addApproval({ approval, detailsJson, resolution }: PreparedApproval): void {
    const { id, workspaceId, executionId, toolCallId, requestedAt, expiresAt } = approval;
    const { status = "pending", resolutionJson = null } = resolution ?? {};
    insertApproval.run(
      id,
      workspaceId,
      executionId,
      toolCallId,
      status,
      requestedAt,
      expiresAt,
      detailsJson,
      resolutionJson,
    );
  }

  function refusalOf({ executionId, epoch }: Append): AppendOutcome {
    const row = find.get(executionId);
    if (row === undefined) throw new YagateError("NOT_FOUND", "no such execution");
    const isOwn = epoch === undefined || (epoch === row.epoch && row.wake_at === null);
    return isOwn ? "behind" : "taken_over";
  }

  function perform(prepared: PreparedAppend): Performed {
    const { append, lastSeq, summaryJson, entriesJson, link, exchangesJson, createdAt } = prepared;
    const { executionId, expectedSeq, epoch = null, summary } = append;
    const values = [lastSeq, summary.status, summaryJson, executionId, expectedSeq, epoch, epoch] as const;
    const isEnd = hasEnded(summary.status);
    const isAdvanced = (isEnd ? finish : advance).run(...values) > 0;
    if (!isAdvanced) return { outcome: refusalOf(append), isDue: false };
    const ended = isEnd ? find.get(executionId) : undefined;
    const exchangedAt = exchangesJson === null ? null : createdAt;
    insertAppend.run(executionId, lastSeq, entriesJson, link, exchangedAt, exchangesJson);
    for (const { hash, text } of prepared.texts) insertText.run(executionId, hash, text);
    for (const approval of prepared.approvals) addApproval(approval);
    for (const { approvalId, status, resolutionJson } of prepared.resolutions) {
      resolveApproval.run(status, resolutionJson, approvalId);
    }
    writeInputs(prepared);
    for (const callId of prepared.callIds) insertCallId.run(...callId);
    for (const exchange of prepared.exchanges) insertExchange.run(...exchange, createdAt);
    if (append.audit !== undefined) insertAudit.run(...auditValues(append.audit));
    return {
      outcome: "appended",
      isDue: epoch === null && wake.run(executionId) > 0,
      ...(ended === undefined ? {} : { endedIn: ended.workspace_id }),
    };
  }

  return (append, done) => {
    let prepared: PreparedAppend;
    try {
      prepared = withTextsApart(prepareAppend(append, now(), form));
    } catch (error) {
      return done({ error });
    }
    commits.writeThen(
      () => perform(prepared),
      (written) => {
        if ("error" in written) return done(written);
        const { outcome, isDue, endedIn } = written.result;
        if (endedIn !== undefined) onEnded(endedIn);
        if (outcome === "appended") {
          publisher.publish(append);
          onAppended(append);
        }
        if (isDue) onDue();
        done(outcome);
      },
    );
  };
}

/** Inserts the values of {@link auditValues}. */
export const INSERT_AUDIT = `
  INSERT INTO audit_entries (id, workspace_id, at, action, resource_type, resource_id, key_id, entry)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export function auditValues({ id, workspaceId, at, action, resourceType, resourceId, keyId, entry }: AuditRow) {
  return [id, workspaceId, at, action, resourceType, resourceId, keyId, entry] as const;
}
