import { callMcpTool } from "@yagate/mcp/client/call-tool";
import { answerMcpTask, cancelMcpTask, readMcpTask } from "@yagate/mcp/client/tasks";
import { auditEntrySchema, executionSchema, pageSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { openGuard } from "../../../mcp/test/client/support/guarded.ts";
import { expectStatus, makeAgent } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { connectHost } from "./support/mcp-host.ts";
import { startWorld } from "./support/world.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const REVISION = "2026-07-28";
const UNKNOWN = "exec_01m7yj864ke00brb1mkxjenfhm";

const world = await startWorld({ allowSelfApproval: true });
afterAll(() => world.stop());
const endpointOf = openGuard();
const endpointWith = (key = world.key) => endpointOf(`${world.url}/mcp`, { authorization: `Bearer ${key}` });
const bounds = { timeoutMs: 20_000, maxResponseBytes: 100_000, signal: new AbortController().signal };

let made = 0;
/** An agent whose only tool waits for an approval, and the task in which its call continues. */
async function startWaiting() {
  made += 1;
  const handler = await startHandler();
  const tools = [workTool(handler.url, { sideEffect: "destructive" })];
  await makeAgent(world, { name: `Refunds ${made}`, model: "scripted/keyword", exposed: true, tools });
  const call = { name: `refunds_${made}`, arguments: { input: "Do the work" }, parameters: { type: "object" } };
  const outcome = await callMcpTool(endpointWith(), { ...call, ...bounds });
  if (!("task" in outcome)) throw new Error("expected a task");
  return { handler, task: outcome.task, request: { taskId: outcome.task.taskId, ...bounds } };
}

const answerSchema = z.looseObject({ result: z.unknown(), error: z.unknown() }).partial();

interface Sent {
  readonly capabilities?: object;
  readonly key?: string;
  readonly taskId?: string;
}

/** Sends a request about a task by hand. */
async function send(
  method: string,
  { capabilities = { extensions: { [TASKS]: {} } }, key, taskId = UNKNOWN }: Sent = {},
) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "host", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const response = await fetch(`${world.url}/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${key ?? world.key}`, accept: "application/json, text/event-stream" },
      ...{ "content-type": "application/json", "mcp-protocol-version": REVISION },
      ...{ "mcp-method": method, "mcp-name": taskId },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { taskId, _meta } }),
  });
  return { status: response.status, body: answerSchema.parse(await response.json()) };
}

const approvalOf = async (executionId: string) => {
  const { body } = await world.call("listApprovals", { query: { status: "pending" } });
  const { data } = body as { data: { id: string; executionId: string }[] };
  return data.find((approval) => approval.executionId === executionId)?.id ?? "";
};
const endOf = async (id: string) => {
  await new EventReader(await world.open("followExecution", { params: { id } })).all();
  return executionSchema.parse(expectStatus(await world.call("getExecution", { params: { id } }), 200));
};

describe("a host that accepts tasks", () => {
  it("gets a task in place of a result that a person delays, and the result from the task", async () => {
    const { handler, task, request } = await startWaiting();
    expect(task).toEqual({ taskId: expect.stringMatching(/^exec_/), ttlMs: null, pollIntervalMs: 5_000 });
    expect(await readMcpTask(endpointWith(), request)).toMatchObject({ status: "working" });
    const approvalId = await approvalOf(task.taskId);
    const { body } = await send("tasks/get", task);
    expect(body.result).toMatchObject({
      ...{ taskId: task.taskId, status: "working", resultType: "complete" },
      statusMessage: `The execution ${task.taskId} waits until an approver decides: ${approvalId} (the call of work). This is possible only in Yagate, not here.`,
    });
    expectStatus(await world.call("approve", { params: { id: approvalId } }), 200);
    await endOf(task.taskId);
    expect(await readMcpTask(endpointWith(), request)).toMatchObject({
      ...{ status: "completed", result: { isError: false, value: expect.stringContaining("work returned") } },
    });
    expect(handler.calls).toHaveLength(1);
  });

  it("decides nothing with answers to a task", async () => {
    const { handler, task, request } = await startWaiting();
    const approvalId = await approvalOf(task.taskId);
    const answers = { [approvalId]: { action: "accept" as const, content: { approved: true } } };
    expect(await answerMcpTask(endpointWith(), { ...request, answers })).toBe(true);
    expect(await readMcpTask(endpointWith(), request)).toMatchObject({ status: "working" });
    expect([await approvalOf(task.taskId), handler.calls]).toEqual([approvalId, []]);
  });

  it("cancels the execution with the task, on record", async () => {
    const { handler, task, request } = await startWaiting();
    await cancelMcpTask(endpointWith(), request);
    expect(await endOf(task.taskId)).toMatchObject({ status: "cancelled" });
    expect(await readMcpTask(endpointWith(), request)).toEqual({ status: "cancelled" });
    const query = { resourceId: task.taskId, action: "execution.cancelled" };
    const entries = expectStatus(await world.call("listAuditEntries", { query }), 200);
    expect(pageSchema(auditEntrySchema).parse(entries).data).toHaveLength(1);
    expect(handler.calls).toEqual([]);
  });

  it("gets the result itself if the execution ends soon", async () => {
    await makeAgent(world, { name: "Quick desk", model: "scripted/keyword", exposed: true });
    const call = { name: "quick_desk", arguments: { input: "hello" }, parameters: { type: "object" } };
    expect(await callMcpTool(endpointWith(), { ...call, ...bounds })).toMatchObject({ isError: false });
  });

  it.each(["tasks/get", "tasks/update", "tasks/cancel"])("knows no tasks of others by %s", async (method) => {
    const { task } = await startWaiting();
    const { key } = await world.makeWorkspace(method.replace("/", "-"));
    for (const unknown of [{ taskId: UNKNOWN }, { taskId: "agt_01m7yj864ke00brb1mkxjenfhm" }, { ...task, key }]) {
      expect(await send(method, unknown)).toMatchObject({ body: { error: { code: -32_602 } } });
    }
    expect((await send("tasks/get", task)).body.result).toMatchObject({ status: "working" });
  });
});

describe("a host that does not accept tasks", () => {
  it("is told to declare the extension", async () => {
    const { task } = await startWaiting();
    const { status, body } = await send("tasks/get", { ...task, capabilities: {} });
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({ code: -32_021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } }),
    ]);
  });

  it("knows no such requests in older revisions, where they are another protocol", async () => {
    const { task } = await startWaiting();
    const response = await fetch(`${world.url}/mcp`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${world.key}`, accept: "application/json, text/event-stream" },
        ...{ "content-type": "application/json", "mcp-protocol-version": "2025-11-25" },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { taskId: task.taskId } }),
    });
    expect(await response.text()).toContain("-32601");
  });

  it("ends its execution with the call only if it asks for that", async () => {
    const handler = await startHandler({ isHeld: true });
    const tools = [workTool(handler.url)];
    await makeAgent(world, { name: "Held desk", model: "scripted/keyword", exposed: true, tools });
    const host = await connectHost("modern", world);
    const leave = new AbortController();
    const _meta = { "yagate/cancelWithCall": true };
    const call = host.callTool(
      { name: "held_desk", arguments: { input: "Do the work" }, _meta },
      { signal: leave.signal },
    );
    await handler.called(1);
    leave.abort();
    await expect(call).rejects.toThrow();
    const { executionId } = handler.requests[0]?.body ?? {};
    const statusOf = async () =>
      executionSchema.parse((await world.call("getExecution", { params: { id: String(executionId) } })).body);
    await expect.poll(statusOf).toMatchObject({ status: expect.stringMatching(/^(cancelling|cancelled)$/) });
    handler.release();
    expect(await endOf(String(executionId))).toMatchObject({ status: "cancelled" });
  });
});
