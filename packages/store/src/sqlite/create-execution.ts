import { YagateError } from "@yagate/protocol";
import type { EventStore } from "../events/event-store.ts";
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
import { readRecord, type TextApart, TextShortener } from "../events/texts-apart.ts";
import { auditValues, INSERT_AUDIT } from "./append.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { PendingCounts } from "./pending-counts.ts";

type Created = { readonly execution: ExecutionRow; readonly isNew: boolean };
/** A rejection as a return value, because a thrown error would make the complete commit group run again. */
type Refused = { readonly refusal: YagateError };

/** A request in the form in which it is stored. */
interface Shortened {
  readonly requestJson: string;
  readonly texts: readonly TextApart[];
}

/** Creates `EventStore.create`, which writes the idempotency record and the execution's row in one commit. */
export function createExecutionCreator(
  connection: SqliteConnection,
  commits: GroupCommit,
  pending: PendingCounts,
): EventStore["create"] {
  const findKey = connection.prepare<{ execution_id: string; body_hash: string }>(
    "SELECT execution_id, body_hash FROM idempotency_keys WHERE scope = ? AND key = ? AND expires_at > ?",
  );
  const replaceKey = connection.prepare("INSERT OR REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?, ?)");
  const findExecution = connection.prepare<ExecutionRecord>(`${SELECT_EXECUTIONS} WHERE e.id = ?`);
  const insertRequest = connection.prepare("INSERT INTO execution_requests VALUES (?, ?)");
  const insertAudit = connection.prepare(INSERT_AUDIT);
  const insertText = connection.prepare("INSERT INTO execution_texts VALUES (?, ?, ?)");
  const insertExecution = connection.prepare(
    `INSERT INTO executions (id, workspace_id, agent_id, agent_version, started_by_key_id, created_at, last_seq, epoch,
       owner, lease_until, is_open, status, summary, mode)
     VALUES (?, ?, ?, ?, ?, ?, 0, ${FIRST_EPOCH}, ?, ?, 1, '${QUEUED.status}', ?, ?)`,
  );

  function insert(execution: NewExecution, { requestJson, texts }: Shortened): Created | Refused {
    const refusal = pending.take(execution);
    if (refusal !== undefined) return { refusal };
    const { id, workspaceId, agentId, agentVersion, startedByKeyId, createdAt } = execution;
    insertExecution.run(
      id,
      workspaceId,
      agentId,
      agentVersion,
      startedByKeyId,
      createdAt,
      execution.owner,
      execution.leaseUntil,
      QUEUED_JSON,
      execution.mode ?? null,
    );
    insertRequest.run(id, requestJson);
    for (const { hash, text } of texts) insertText.run(id, hash, text);
    if (execution.audit !== undefined) insertAudit.run(...auditValues(execution.audit));
    return { execution: toQueuedRow(execution), isNew: true };
  }

  function createOrFind(execution: NewExecution, shortened: Shortened): Created | Refused {
    const { idempotency } = execution;
    if (idempotency === undefined) return insert(execution, shortened);
    const { scope, key, bodyHash, expiresAt } = idempotency;
    const known = findKey.get(scope, key, execution.createdAt);
    if (known === undefined) {
      const created = insert(execution, shortened);
      if ("execution" in created) replaceKey.run(scope, key, bodyHash, execution.id, expiresAt);
      return created;
    }
    if (known.body_hash !== bodyHash) {
      return { refusal: keyConflict() };
    }
    const found = findExecution.get(known.execution_id);
    const record = found && connection.perform(readRecord(found));
    if (record === undefined)
      throw new YagateError("INTERNAL", "expected the execution of an idempotency key to exist");
    return { execution: toExecutionRow(record), isNew: false };
  }

  return async (execution) => {
    const shortener = new TextShortener();
    const requestJson = shortener.shorten(toRequestJson(execution));
    const shortened = { requestJson, texts: shortener.texts };
    let isMade = false;
    try {
      const created = await commits.write(() => createOrFind(execution, shortened));
      if ("refusal" in created) throw created.refusal;
      isMade = created.isNew;
      return created;
    } finally {
      pending.settle(execution, isMade);
    }
  };
}
