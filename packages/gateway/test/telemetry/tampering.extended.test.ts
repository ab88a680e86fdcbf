import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { approvalSchema, pageSchema, receiptSchema } from "@yagate/protocol";
import { expect, it } from "vitest";
import { parseMetrics } from "../../../telemetry/test/support/parse-metrics.ts";
import { execute, expectStatus, makeAgent, saying, start } from "../http/support/agents.ts";
import type { ApiCaller } from "../http/support/api-caller.ts";
import { EventReader } from "../http/support/event-reader.ts";
import { startHandler, workTool } from "../http/support/handler.ts";
import { linesWhile, makeDataDir } from "./support/lines-while.ts";

async function pendingApproval(api: ApiCaller): Promise<string> {
  const { data } = pageSchema(approvalSchema).parse((await api.call("listApprovals")).body);
  const [approval] = data;
  if (approval === undefined) throw new Error("expected an approval request");
  return approval.id;
}

async function follow(api: ApiCaller, id: string): Promise<EventReader> {
  return new EventReader(await api.open("followExecution", { params: { id } }));
}

async function unverifiedCount(api: ApiCaller): Promise<number | undefined> {
  const families = parseMetrics(String((await api.call("getMetrics")).body));
  return families.get("yagate_receipts_unverified_total")?.samples[0]?.value;
}

it("operators learn of changed records: from receipts, and from calls that differ from what was allowed", async () => {
  const dataDir = await makeDataDir();
  const handler = await startHandler();
  let ended = "";
  let waiting = "";
  await linesWhile(dataDir, async (api) => {
    ended = (await execute(api, (await makeAgent(api)).id, saying("it is 20 USD"))).id;
    const asking = await makeAgent(api, { tools: [workTool(handler.url, { sideEffect: "destructive" })] });
    const script = { turns: [{ toolCalls: [{ name: "work", parameters: { usd: 20 } }] }, { text: "done" }] };
    waiting = (await start(api, asking.id, { input: "pay", script })).id;
    await (await follow(api, waiting)).until("execution.waiting");
  });

  const database = new DatabaseSync(join(dataDir, "journal.db"));
  database.exec(`UPDATE appends SET entries = replace(replace(entries, '20 USD', '90 USD'), '"usd":20', '"usd":90')`);
  database.close();

  const lines = await linesWhile(dataDir, async (api) => {
    expect(await unverifiedCount(api)).toBe(0);
    const answer = await api.call("getReceipt", { params: { id: ended } });
    expect(receiptSchema.parse(expectStatus(answer, 200)).verified).toBe(false);
    expect(await unverifiedCount(api)).toBe(1);
    const reader = await follow(api, waiting);
    expectStatus(await api.call("approve", { params: { id: await pendingApproval(api) }, body: {} }), 200);
    await reader.until("execution.completed");
  });
  expect(handler.calls).toEqual([]);
  expect(lines.filter(({ level }) => level === 40)).toMatchObject([
    { msg: expect.stringContaining("receipt is not verified"), executionId: ended, reason: expect.any(String) },
    {
      msg: expect.stringContaining("tool call blocked"),
      executionId: waiting,
      toolCallId: expect.stringMatching(/^tc_/),
    },
  ]);
}, 60_000);
