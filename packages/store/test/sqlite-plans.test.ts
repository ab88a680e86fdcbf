import { join } from "node:path";
import { newCallId } from "@yagate/lib/ids/call-ids";
import { newId } from "@yagate/lib/ids/ids";
import { afterAll, beforeAll, expect, it } from "vitest";
import { plainPair } from "../src/events/execution-list.ts";
import { createLookups } from "../src/events/lookups.ts";
import { Publisher } from "../src/events/publisher.ts";
import { createAppender } from "../src/sqlite/append.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { createExecutionCreator } from "../src/sqlite/create-execution.ts";
import { createExpiry } from "../src/sqlite/expiry.ts";
import { GroupCommit } from "../src/sqlite/group-commit.ts";
import { createLateResponses } from "../src/sqlite/late-responses.ts";
import { createLeases } from "../src/sqlite/leases.ts";
import { migrate } from "../src/sqlite/migrations/migrate.ts";
import { PendingCounts } from "../src/sqlite/pending-counts.ts";
import { createReadModels } from "../src/sqlite/read-models.ts";
import { createExecutionRows } from "../src/sqlite/retention.ts";
import type { SqliteStatement } from "../src/sqlite/statement.ts";
import { createStoredBytes } from "../src/sqlite/stored-bytes.ts";
import { createApprovalStore } from "../src/tables/approvals.ts";
import { createInputRequestStore } from "../src/tables/input-requests.ts";
import { createToolkitStore } from "../src/tables/toolkits.ts";
import { createToolStore } from "../src/tables/tools.ts";
import type { UnitRunner } from "../src/unit-of-work.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";

/** Remembers what was prepared on it. */
class RecordingConnection extends SqliteConnection {
  readonly texts = new Set<string>();

  override prepare<Row = never>(text: string): SqliteStatement<Row> {
    this.texts.add(text);
    return super.prepare<Row>(text);
  }

  /** How SQLite goes about a statement, a line for each table that it reads. */
  planOf(text: string): readonly string[] {
    const rows = super.prepare<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all();
    return rows.map(({ detail }) => detail);
  }
}

/** Tables that grow with every execution, and those of all workspaces' tools. */
const LARGE = [
  ...["executions", "execution_requests", "appends", "call_ids", "exchanges", "idempotency_keys", "approvals"],
  "input_requests",
  ...["execution_tools", "tool_calls", "read_executions", "metric_points"],
  ...["execution_metadata", "rate_limits", "tools", "tool_versions", "tool_tests", "toolkits"],
];

const FILTERS = [
  { agentId: "agt_1" },
  { status: "failed", since: 1, until: 2 },
  { status: "waiting" },
  { agentId: "agt_1", status: "cancelled" },
  { errorCode: "MODEL_ERROR" },
  { stopReason: "truncated" },
  { stopReason: "final", agentId: "agt_1" },
  { tool: "lookup_order", since: 1, until: 2 },
  { tool: "lookup_order", metadata: [{ name: "orderId", value: "ORD-7" }] },
  { metadata: [{ name: "orderId", value: "ORD-7" }], since: 1, until: 2 },
  {
    metadata: [
      { name: "orderId", value: "ORD-7" },
      { name: "env", value: "prod" },
    ],
    status: "completed",
  },
] as const;

let directory: TemporaryDirectory;
let connection: RecordingConnection;

beforeAll(async () => {
  directory = await makeTemporaryDirectory();
  connection = new RecordingConnection(join(directory.path, "test.db"));
  connection.configure({});
  migrate(connection);
  connection.texts.clear();
  const commits = new GroupCommit(connection);
  const publisher = new Publisher(() => undefined);
  createAppender({
    connection,
    commits,
    publisher,
    form: 2,
    now: () => 0,
    onEnded: () => undefined,
    onDue: () => undefined,
    onAppended: () => undefined,
  });
  createExecutionCreator(connection, commits, new PendingCounts(connection));
  createExpiry(connection, commits, 1);
  createLateResponses(connection, commits);
  createLeases(connection, commits);
  createStoredBytes(connection, commits);
  createExecutionRows(connection, commits);
  const units: UnitRunner = {
    read: async (unit) => connection.perform(unit()),
    write: () => Promise.reject(new Error("expected lookups to read")),
  };
  const writes: UnitRunner = { ...units, write: async (unit) => connection.perform(unit()) };
  const readModels = createReadModels(connection, writes);
  connection.execute("BEGIN; INSERT INTO appends (execution_id, last_seq, entries) VALUES ('exec_1', 1, '[]')");
  connection.execute("UPDATE settings SET value = '~' WHERE name = 'read_models.backfill'");
  connection.execute(
    `INSERT INTO executions (id, workspace_id, agent_id, agent_version, created_at, last_seq, epoch, lease_until, is_open,
       status, summary) VALUES ('exec_1', 'ws_a', 'agt_1', 1, 0, 1, 1, 0, 1, 'running', '{}')`,
  );
  const call = { tool: "a", status: "failed", code: "X", requestedAt: 0, finishedAt: 0 } as const;
  const point = { metric: "codes", label: "X", step: 300, at: 0, bucket: 0, value: 1 };
  await readModels.advance(
    () => ({ state: "{}", tools: ["a"], calls: [{ id: "tc_1", ...call }], points: [point] }),
    10,
  );
  await readModels.backfill(() => ({ state: "{}", tools: [], calls: [], points: [] }), 10);
  await readModels.points("ws_a", { step: 300, from: 0, until: 1 }, ["codes"]);
  await readModels.deletePoints(300, 1, 10);
  for (const filter of [{}, { tool: "a" }, { status: "failed" }, { code: "X" }, { tool: "a", code: "X" }] as const) {
    await readModels.toolCalls("ws_a", { limit: 20 }, filter);
  }
  connection.execute("ROLLBACK");
  const approvals = createApprovalStore(units);
  await approvals.find("ws_a", "apr_1");
  await approvals.list("ws_a", { limit: 20 });
  await approvals.list("ws_a", { limit: 20, status: "pending" });
  const inputRequests = createInputRequestStore(units);
  await inputRequests.find("ws_a", "tc_1");
  await inputRequests.list("ws_a", { limit: 20 });
  await inputRequests.list("ws_a", { limit: 20, status: "pending" });
  const tools = createToolStore(units);
  await tools.find("ws_a", "tool_1");
  await tools.findByName("ws_a", "get_order");
  await tools.findVersion("tool_1", 1);
  await tools.list("ws_a", { limit: 20, status: "draft", kind: "rest", toolkitId: "kit_1" });
  await tools.versions("ws_a", "tool_1", { limit: 20 });
  await tools.findTest("ws_a", "tool_1");
  const toolkits = createToolkitStore(units);
  await toolkits.find("ws_a", "kit_1");
  await toolkits.list("ws_a", { limit: 20 });
  const lookups = createLookups(units, plainPair);
  await lookups.entries("exec_1", 0);
  await lookups.entryPage("exec_1", 0);
  await lookups.find("exec_1", "ws_a");
  await lookups.lastSeqOf("exec_1", "ws_a");
  await lookups.list("ws_a", { limit: 20 });
  for (const filter of FILTERS) await lookups.list("ws_a", { limit: 20 }, filter);
  await lookups.findToolCall("tc_1", "ws_a");
  await lookups.findAttempt("att_1", "ws_a");
  await lookups.findAttempt(newCallId("attempt", newId("execution"), 1), "ws_a");
});
afterAll(async () => {
  connection.close();
  await directory.remove();
});

/** The names that a statement gives to the large tables. */
function largeNames(text: string): readonly string[] {
  const aliases = [...text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)\s+(?!WHERE|JOIN|LEFT|ORDER|ON)(\w+)/g)];
  return [...LARGE, ...aliases.filter(([, table = ""]) => LARGE.includes(table)).map(([, , alias = ""]) => alias)];
}

it("no statement of the store scans a large table", () => {
  const statements = [...connection.texts].filter((text) => LARGE.some((table) => text.includes(table)));
  expect(statements.length).toBeGreaterThan(15);
  const slow = statements.flatMap((text) => {
    const names = largeNames(text);
    // The index of open executions holds none of those that have ended.
    const isSlow = (detail: string) =>
      names.some((name) => `${detail} `.startsWith(`SCAN ${name} `)) && !detail.endsWith(" INDEX executions_open");
    return connection
      .planOf(text)
      .filter(isSlow)
      .map((detail) => [text, detail]);
  });
  // By the order of the rows, and only as many as are deleted at once.
  // So are those of unfinished executions alone, by the index that holds no others.
  expect(slow.filter(([, detail]) => !detail?.endsWith("USING COVERING INDEX executions_open"))).toEqual([
    [expect.stringMatching(/^SELECT attempt_id AS id FROM exchanges\s.* ORDER BY rowid LIMIT \?/s), "SCAN exchanges"],
  ]);
});

it.each([
  [
    "claiming",
    /PARTITION BY workspace_id ORDER BY lease_until/,
    "executions USING INDEX executions_open (lease_until>",
  ],
  ["waking", /PARTITION BY workspace_id ORDER BY wake_at/, "executions USING INDEX executions_asleep (wake_at<?)"],
  ["renewing", /SET lease_until = \? WHERE is_open/, "executions USING INDEX executions_open (lease_until>?)"],
  [
    "listing",
    /e\.workspace_id = \? AND e\.id < \? ORDER BY e\.id DESC LIMIT/,
    "e USING INDEX executions_by_workspace (workspace_id=? AND id<?)",
  ],
  [
    "listing an agent's",
    /e\.id < \? AND e\.agent_id = \? ORDER/,
    "e USING INDEX executions_by_agent (workspace_id=? AND agent_id=? AND id<?)",
  ],
  [
    "listing ended ones",
    /e\.id < \? AND e\.is_open = 0 .* e\.ended_status = \? AND e\.id >=/,
    "e USING INDEX executions_by_end (workspace_id=? AND ended_status=? AND id>? AND id<?)",
  ],
  [
    "listing unfinished ones",
    /AND e\.is_open = 1 AND e\.status = \? ORDER/,
    "e USING INDEX executions_unfinished (workspace_id=? AND id<?)",
  ],
  [
    "listing an agent's ended ones",
    /e\.agent_id = \? AND e\.is_open = 0/,
    "e USING INDEX executions_by_agent_end (workspace_id=? AND agent_id=? AND ended_status=? AND id<?)",
  ],
  [
    "listing by an error's code",
    /e\.status = 'failed' .* e\.ended_reason = \? ORDER/,
    "e USING INDEX executions_by_reason (workspace_id=? AND ended_reason=? AND id<?)",
  ],
  [
    "listing by a stop reason",
    /e\.status = 'completed' .*\n.* e\.ended_reason = \? ORDER/,
    "e USING INDEX executions_by_reason (workspace_id=? AND ended_reason=? AND id<?)",
  ],
  [
    "listing by metadata",
    /FROM execution_metadata m [\s\S]*m\.execution_id >= \?/,
    "m USING PRIMARY KEY (workspace_id=? AND pair=? AND execution_id>? AND execution_id<?)",
  ],
  [
    "listing by more metadata",
    /EXISTS \(SELECT 1 FROM execution_metadata/,
    "m USING PRIMARY KEY (workspace_id=? AND pair=? AND execution_id<?)",
  ],
  [
    "listing by tool",
    /FROM execution_tools m .*\n.*\n.* m\.execution_id >= \?/,
    "m USING PRIMARY KEY (workspace_id=? AND tool=? AND execution_id>? AND execution_id<?)",
  ],
  [
    "listing tool calls",
    /FROM tool_calls\s+WHERE workspace_id = \? AND id < \? ORDER/,
    "tool_calls USING INDEX tool_calls_by_workspace (workspace_id=? AND id<?)",
  ],
  [
    "listing a tool's calls",
    /FROM tool_calls\s+.* AND tool = \? ORDER/,
    "tool_calls USING INDEX tool_calls_by_tool (workspace_id=? AND tool=? AND id<?)",
  ],
  [
    "listing calls by status",
    /FROM tool_calls\s+.* AND id < \? AND status = \? ORDER/,
    "tool_calls USING INDEX tool_calls_by_status (workspace_id=? AND status=? AND id<?)",
  ],
  [
    "listing calls by code",
    /FROM tool_calls\s+.* AND id < \? AND code IS NOT NULL/,
    "tool_calls USING INDEX tool_calls_by_code (workspace_id=? AND code=? AND id<?)",
  ],
  [
    "reading a metric",
    /FROM metric_points\s+WHERE workspace_id/,
    "metric_points USING PRIMARY KEY (workspace_id=? AND step=? AND metric=? AND at>? AND at<?)",
  ],
  [
    "the back-fill",
    /LEFT JOIN read_executions p .*\n.*WHERE e\.id </,
    "e USING INDEX sqlite_autoindex_executions_1 (id<?)",
  ],
])("%s goes by its index", (_name, pattern, step) => {
  const [text = ""] = [...connection.texts].filter((candidate) => pattern.test(candidate));
  expect(connection.planOf(text)).toContainEqual(expect.stringContaining(`SEARCH ${step}`));
});
