import { hasEnded, YagateError } from "@yagate/protocol";
import type { NewApproval } from "../approval-rows.ts";
import type { Append, AppendOutcome, EpochMs, ExecutionJournal, JournalEntry } from "../port.ts";
import type { Publisher } from "../publisher.ts";
import { insertApproval, resolveApproval } from "../tables/approvals.ts";
import type { SqliteConnection } from "./connection.ts";
import { toSummaryJson } from "./execution-record.ts";
import type { GroupCommit } from "./group-commit.ts";

interface AppendRoom {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly publisher: Publisher;
  readonly now: () => EpochMs;
}

/** An append as texts, made before its commit group: a group may run twice, and holds everybody up while it does. */
interface Prepared {
  readonly append: Append;
  readonly summaryJson: string;
  readonly entriesJson: string;
  readonly exchanges: readonly (readonly [attemptId: string, request: string | null, response: string | null])[];
  readonly approvals: readonly (readonly [approval: NewApproval, detailsJson: string])[];
  readonly createdAt: EpochMs;
}

const toJsonOrNull = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));

function prepare(append: Append, createdAt: EpochMs): Prepared {
  return {
    append,
    summaryJson: toSummaryJson(append.summary),
    entriesJson: JSON.stringify(append.entries),
    exchanges: (append.exchanges ?? []).map(
      ({ attemptId, request, response }) => [attemptId, toJsonOrNull(request), toJsonOrNull(response)] as const,
    ),
    approvals: (append.approvals ?? []).map((approval) => [approval, JSON.stringify(approval.details)] as const),
    createdAt,
  };
}

function assertNumbered({ entries, expectedSeq, executionId }: Append): void {
  for (const [index, { event }] of entries.entries()) {
    if (event.seq !== expectedSeq + index + 1 || event.executionId !== executionId) {
      throw new YagateError("INTERNAL", "expected entries of one execution, numbered without a gap");
    }
  }
}

/** Makes `ExecutionJournal.append`: one conditional update of the execution's row, then its entries. */
export function createAppender({ connection, commits, publisher, now }: AppendRoom): ExecutionJournal["append"] {
  const isExpected = "WHERE id = ? AND last_seq = ? AND epoch = coalesce(?, epoch)";
  const advance = connection.prepare(`UPDATE executions SET last_seq = ?, status = ?, summary = ? ${isExpected}`);
  // Apart, since naming the indexed columns makes SQLite write the index at every append.
  const finish = connection.prepare(
    `UPDATE executions SET last_seq = ?, status = ?, summary = ?, is_open = 0, owner = NULL, lease_until = 0 ${isExpected}`,
  );
  const wake = connection.prepare("UPDATE executions SET wake_at = 0 WHERE id = ? AND wake_at IS NOT NULL");
  const findEpoch = connection.prepare<{ epoch: number }>("SELECT epoch FROM executions WHERE id = ?");
  const insertAppend = connection.prepare("INSERT INTO appends VALUES (?, ?, ?)");
  const insertCallId = connection.prepare("INSERT OR IGNORE INTO call_ids VALUES (?, ?, ?)");
  const insertExchange = connection.prepare("INSERT OR REPLACE INTO exchanges VALUES (?, ?, ?, ?)");

  function index({ event }: JournalEntry): void {
    if (event.type === "tool_call.requested") insertCallId.run(event.toolCallId, event.executionId, null);
    else if (event.type === "attempt.started") {
      insertCallId.run(event.attemptId, event.executionId, event.toolCallId);
    } else if (event.type === "approval.resolved") connection.perform(resolveApproval(event));
  }

  function refusalOf({ executionId, epoch }: Append): AppendOutcome {
    const row = findEpoch.get(executionId);
    if (row === undefined) throw new YagateError("NOT_FOUND", "no such execution");
    return epoch === undefined || epoch === row.epoch ? "behind" : "taken_over";
  }

  function perform({ append, summaryJson, entriesJson, exchanges, approvals, createdAt }: Prepared): AppendOutcome {
    const { executionId, expectedSeq, epoch, entries, summary } = append;
    const update = hasEnded(summary.status) ? finish : advance;
    const lastSeq = expectedSeq + entries.length;
    if (update.run(lastSeq, summary.status, summaryJson, executionId, expectedSeq, epoch ?? null) === 0) {
      return refusalOf(append);
    }
    if (epoch === undefined) wake.run(executionId);
    insertAppend.run(executionId, lastSeq, entriesJson);
    for (const approval of approvals) connection.perform(insertApproval(...approval));
    for (const entry of entries) index(entry);
    for (const exchange of exchanges) insertExchange.run(...exchange, createdAt);
    return "appended";
  }

  return async (append) => {
    assertNumbered(append);
    const prepared = prepare(append, now());
    const outcome = await commits.write(() => perform(prepared));
    if (outcome === "appended") publisher.publish(append);
    return outcome;
  };
}
