import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../test/services/postgres.ts";
import { executionPageStatement, hashedPair } from "../src/events/execution-list.ts";
import type { ExecutionFilter } from "../src/events/execution-row.ts";
import type { ToolCallFilter } from "../src/read-models/port.ts";
import { toolCallPageStatement } from "../src/read-models/tool-call-list.ts";
import type { SqlStatement } from "../src/sql.ts";

const ROWS = 40_000;
const T0 = Date.UTC(2026, 0, 1);

/** Ended executions of one workspace: one in 1 000 of another agent, failed or with an order of its own. */
const FILL = `
  INSERT INTO executions (id, workspace_id, agent_id, agent_version, created_at, last_seq, epoch, lease_until, is_open,
    status, summary)
  SELECT 'exec_' || lpad(n::text, 26, '0'), 'ws_a', CASE WHEN n % 1000 = 0 THEN 'agt_rare' ELSE 'agt_a' END, 1, ${T0}, 1,
    1, 0, CASE WHEN n % 1000 = 500 THEN 1 ELSE 0 END,
    CASE n % 1000 WHEN 1 THEN 'failed' WHEN 2 THEN 'cancelled' WHEN 500 THEN 'waiting' ELSE 'completed' END,
    '{"stopReason":"' || CASE n WHEN 7003 THEN 'truncated' ELSE 'final' END || '","output":null,"error":{"code":"' || CASE n WHEN 7001 THEN 'NOT_CONFIGURED' ELSE 'MODEL_ERROR' END || '"}}'
  FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO execution_requests (execution_id, request)
  SELECT 'exec_' || lpad(n::text, 26, '0'),
    '{"input":"x","metadata":{"orderId":"ORD-' || n || '","env":"prod","n":' || n || '}}'
  FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO execution_tools (workspace_id, tool, execution_id)
  SELECT 'ws_a', CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'usual' END, 'exec_' || lpad(n::text, 26, '0')
  FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO tool_calls (id, workspace_id, execution_id, tool, status, code, requested_at, finished_at)
  SELECT 'tc_' || lpad(n::text, 34, '0'), 'ws_a', 'exec_' || lpad(n::text, 26, '0'),
    CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'usual' END, CASE WHEN n % 1000 = 1 THEN 'failed' ELSE 'completed' END,
    CASE WHEN n % 1000 = 1 THEN CASE n WHEN 7001 THEN 'TIMEOUT' ELSE 'HANDLER_ERROR' END END, ${T0}, ${T0}
  FROM generate_series(1, ${ROWS}) AS n;
  ANALYZE;`;

describe.skipIf(!hasPostgres())("filters of executions on PostgreSQL", () => {
  let client: Client;
  beforeAll(async () => {
    const url = await createMigratedDatabase();
    client = new Client({ connectionString: url });
    await client.connect();
    await client.query(FILL);
  }, 60_000);
  afterAll(async () => {
    await client?.end();
  });

  const metadata = (...pairs: readonly (readonly [string, string])[]) => ({
    metadata: pairs.map(([name, value]) => ({ name, value })),
  });

  it.each<[string, ExecutionFilter, string, number]>([
    ["an agent", { agentId: "agt_rare" }, "executions_by_agent", 40],
    ["a status of ended ones", { status: "failed" }, "executions_by_end", 40],
    ["a status of unfinished ones", { status: "waiting" }, "executions_pending", 40],
    ["an agent's failed ones", { agentId: "agt_a", status: "cancelled" }, "executions_by_agent_end", 40],
    ["an error's code", { errorCode: "NOT_CONFIGURED" }, "executions_by_reason", 1],
    ["a stop reason", { stopReason: "truncated" }, "executions_by_reason", 1],
    ["the reason of failed ones", { stopReason: "error" }, "executions_by_end", 40],
    ["the usual stop reason", { stopReason: "final" }, "executions_", 51],
    ["a rare tool", { tool: "rare" }, "execution_tools_pkey", 40],
    ["a tool that all call", { tool: "usual" }, "execution", 51],
    ["metadata", metadata(["orderId", "ORD-7001"]), "execution_metadata_pkey", 1],
    ["two strings of metadata", metadata(["orderId", "ORD-7001"], ["env", "prod"]), "execution_metadata_pkey", 1],
    ["metadata that all have", metadata(["env", "prod"]), "execution", 51],
    ["a time after all", { since: T0 + 3_600_000 }, "executions_", 0],
  ])("by %s read no more rows than they find", async (_what, filter, index, found) => {
    await expectFew(executionPageStatement("ws_a", { limit: 50 }, filter, hashedPair), index, found);
  });

  it.each<[string, ToolCallFilter, string, number]>([
    ["nothing", {}, "tool_calls_", 51],
    ["a rare tool", { tool: "rare" }, "tool_calls_by_tool", 40],
    ["a status", { status: "failed" }, "tool_calls_by_", 40],
    ["a code", { code: "TIMEOUT" }, "tool_calls_by_code", 1],
    ["all of them", { code: "HANDLER_ERROR", status: "failed", tool: "usual" }, "tool_calls_by_", 39],
  ])("tool calls by %s read no more rows than they find", async (_what, filter, index, found) => {
    await expectFew(toolCallPageStatement("ws_a", { limit: 50 }, filter), index, found);
  });

  async function expectFew({ parts, values }: SqlStatement<unknown>, index: string, found: number): Promise<void> {
    const text = parts.reduce((before, part, place) => `${before}$${place}${part}`);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    const json = JSON.stringify(plan);
    expect(json).toContain(`"Index Name":"${index}`);
    expect(json).not.toContain('"Seq Scan"');
    expect(plan["Actual Rows"]).toBe(found);
    // Of every node: what it read and threw away.
    const removed = [...json.matchAll(/"Rows Removed by [\w ]+":(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(0, ...removed)).toBeLessThanOrEqual(100);
  }
});
