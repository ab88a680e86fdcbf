import { hasEnded, YagateError } from "@yagate/protocol";
import type { Append, AppendOutcome, EpochMs, ExecutionJournal, JournalEntry } from "../port.ts";
import { type PreparedAppend, prepareAppend } from "../prepared-append.ts";
import type { Publisher } from "../publisher.ts";
import type { SqliteConnection } from "./connection.ts";
import type { GroupCommit } from "./group-commit.ts";

interface AppendRoom {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly publisher: Publisher;
  readonly now: () => EpochMs;
}

/** Makes `ExecutionJournal.append`: one conditional update of the execution's row, then its entries. */
export function createAppender({ connection, commits, publisher, now }: AppendRoom): ExecutionJournal["append"] {
  const isExpected = "WHERE id = ? AND last_seq = ? AND epoch = coalesce(?, epoch)";
  const advance = connection.prepare(`UPDATE executions SET last_seq = ?, status = ?, summary = ? ${isExpected}`);
  // Apart, since naming the indexed columns makes SQLite write the index at every append.
  const finish = connection.prepare(
    `UPDATE executions SET last_seq = ?, status = ?, summary = ?, is_open = 0, owner = NULL, lease_until = 0 ${isExpected}`,
  );
  const findEpoch = connection.prepare<{ epoch: number }>("SELECT epoch FROM executions WHERE id = ?");
  const insertAppend = connection.prepare("INSERT INTO appends VALUES (?, ?, ?, ?)");
  const insertCallId = connection.prepare("INSERT OR IGNORE INTO call_ids VALUES (?, ?, ?)");
  const insertExchange = connection.prepare(
    "INSERT OR REPLACE INTO exchanges (attempt_id, request, response, created_at) VALUES (?, ?, ?, ?)",
  );

  function index({ event }: JournalEntry): void {
    if (event.type === "tool_call.requested") insertCallId.run(event.toolCallId, event.executionId, null);
    else if (event.type === "attempt.started") {
      insertCallId.run(event.attemptId, event.executionId, event.toolCallId);
    }
  }

  function refusalOf({ executionId, epoch }: Append): AppendOutcome {
    const row = findEpoch.get(executionId);
    if (row === undefined) throw new YagateError("NOT_FOUND", "no such execution");
    return epoch === undefined || epoch === row.epoch ? "behind" : "taken_over";
  }

  function perform(prepared: PreparedAppend): AppendOutcome {
    const { append, lastSeq, summaryJson, entriesJson, link, exchanges, createdAt } = prepared;
    const { executionId, expectedSeq, epoch, entries, summary } = append;
    const update = hasEnded(summary.status) ? finish : advance;
    if (update.run(lastSeq, summary.status, summaryJson, executionId, expectedSeq, epoch ?? null) === 0) {
      return refusalOf(append);
    }
    insertAppend.run(executionId, lastSeq, entriesJson, link);
    for (const entry of entries) index(entry);
    for (const exchange of exchanges) insertExchange.run(...exchange, createdAt);
    return "appended";
  }

  return async (append) => {
    const prepared = prepareAppend(append, now());
    const outcome = await commits.write(() => perform(prepared));
    if (outcome === "appended") publisher.publish(append);
    return outcome;
  };
}
