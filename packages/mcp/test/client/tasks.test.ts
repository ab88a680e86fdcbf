import { YagateError } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { callMcpTool, type McpCall } from "../../src/client/call-tool.ts";
import { listMcpTools } from "../../src/client/list-tools.ts";
import type { McpCallOutcome, McpCreatedTask } from "../../src/client/port.ts";
import { answerMcpTask, cancelMcpTask, type McpTaskRequest, readMcpTask } from "../../src/client/tasks.ts";
import { openGuard } from "./support/guarded.ts";
import { startFirstServer } from "./support/sdk-servers.ts";
import {
  askForColour,
  complete,
  type ServedTask,
  startTaskServer,
  TASKS,
  type TaskServer,
} from "./support/task-server.ts";

const endpointOf = openGuard();
const { signal } = new AbortController();

const call = (url: string, change: Partial<McpCall> = {}): Promise<McpCallOutcome> =>
  callMcpTool(endpointOf(url), {
    ...{ name: "work", arguments: {}, parameters: { type: "object" }, timeoutMs: 5_000, maxResponseBytes: 100_000 },
    ...{ signal, ...change },
  });

async function createTask(server: TaskServer): Promise<{ readonly handle: McpCreatedTask; readonly task: ServedTask }> {
  const outcome = await call(server.url);
  if (!("task" in outcome)) throw new Error("expected a task");
  const task = server.tasks.get(outcome.task.taskId);
  if (task === undefined) throw new Error("expected a task of the server");
  return { handle: outcome.task, task };
}

const requestFor = ({ taskId }: { readonly taskId: string }): McpTaskRequest => ({
  ...{ taskId, timeoutMs: 5_000, maxResponseBytes: 100_000, signal },
});

describe("a call that a server continues as a task", () => {
  it("returns the task, and its result to any later connection", async () => {
    const server = await startTaskServer();
    const { handle, task } = await createTask(server);
    expect(handle).toEqual({ taskId: task.taskId, ttlMs: 60_000, pollIntervalMs: 1_000 });
    const read = () => readMcpTask(endpointOf(server.url), requestFor(task));
    expect(await read()).toEqual({ status: "working", ttlMs: 60_000, pollIntervalMs: 1_000 });
    complete(task, "worked");
    expect(await read()).toMatchObject({ status: "completed", result: { isError: false, value: "worked" } });
    const { headers } = server.requests.at(-1) ?? {};
    expect(headers).toMatchObject({ "mcp-method": "tasks/get", "mcp-name": task.taskId });
  });

  it("asks for input through the task, which is answered once", async () => {
    const server = await startTaskServer();
    const { task } = await createTask(server);
    askForColour(task);
    const request = requestFor(task);
    expect(await readMcpTask(endpointOf(server.url), request)).toMatchObject({
      status: "input_required",
      questions: [{ key: "colour", mode: "form", message: "Which colour?" }],
    });
    const answers = { colour: { action: "accept" as const, content: { colour: "green" } } };
    expect(await answerMcpTask(endpointOf(server.url), { ...request, answers })).toBe(true);
    expect(task).toMatchObject({ status: "working", answers });
  });

  it("is cancelled at the server", async () => {
    const server = await startTaskServer();
    const { task } = await createTask(server);
    await cancelMcpTask(endpointOf(server.url), requestFor(task));
    expect(await readMcpTask(endpointOf(server.url), requestFor(task))).toEqual({ status: "cancelled" });
  });

  it("fails with the code of the server's error", async () => {
    const server = await startTaskServer();
    const { task } = await createTask(server);
    Object.assign(task, { status: "failed", error: { code: -32_603, message: "no" } });
    expect(await readMcpTask(endpointOf(server.url), requestFor(task))).toEqual({ status: "failed", code: -32_603 });
  });

  it("is unknown once the server has forgotten it", async () => {
    const server = await startTaskServer();
    const { task } = await createTask(server);
    server.tasks.clear();
    const request = requestFor(task);
    expect(await readMcpTask(endpointOf(server.url), request)).toEqual({ status: "unknown" });
    expect(await answerMcpTask(endpointOf(server.url), { ...request, answers: {} })).toBe(false);
    await cancelMcpTask(endpointOf(server.url), request);
  });

  it("is not sent to if the caller forbids it", async () => {
    const server = await startTaskServer();
    const { task } = await createTask(server);
    const veto = new YagateError("CANCELLED", "no");
    const beforeSend = () => {
      throw veto;
    };
    await expect(cancelMcpTask(endpointOf(server.url), { ...requestFor(task), beforeSend })).rejects.toBe(veto);
    expect(server.methods).not.toContain("tasks/cancel");
  });
});

describe("a hostile task", () => {
  it.each<[string, unknown]>([
    ["empty", ""],
    ["a number", 7],
    ["of 1 MB", "x".repeat(1_000_000)],
    ["missing", undefined],
  ])("has an id that is %s: the call has an unknown outcome", async (_what, taskId) => {
    const server = await startTaskServer({
      change: (method, result) =>
        method === "tools/call" ? JSON.parse(JSON.stringify({ ...result, taskId })) : result,
    });
    await expect(call(server.url, { maxResponseBytes: 2_000_000 })).rejects.toMatchObject({
      ...{ code: "INVALID_RESPONSE", outcome: "unknown" },
    });
  });

  it.each<[string, object, object]>([
    ["negative", { ttlMs: -1, pollIntervalMs: -1 }, { ttlMs: 0, pollIntervalMs: 0 }],
    ["fractions", { ttlMs: 1.5, pollIntervalMs: 0.5 }, { ttlMs: 1, pollIntervalMs: 0 }],
    ["texts", { ttlMs: "1", pollIntervalMs: "1" }, { ttlMs: null }],
    ["missing", { ttlMs: undefined, pollIntervalMs: undefined }, { ttlMs: null }],
  ])("has times that are %s", async (_what, times, read) => {
    const server = await startTaskServer({
      change: (method, result) =>
        method === "tools/call" ? JSON.parse(JSON.stringify({ ...result, ...times })) : result,
    });
    const { handle, task } = await createTask(server);
    expect(handle).toEqual({ taskId: task.taskId, ...read });
  });

  it.each<[string, object, string]>([
    ["of another task", { taskId: "another" }, "INVALID_RESPONSE"],
    ["in an unknown state", { status: "resting" }, "INVALID_RESPONSE"],
    ["without its result", { status: "completed", result: undefined }, "INVALID_RESPONSE"],
    ["with a result of another kind", { status: "completed", result: { text: "no" } }, "INVALID_RESPONSE"],
    ["with a result past the limit", { status: "completed", result: textOf(200_000) }, "RESPONSE_TOO_LARGE"],
    ["as a result of another type", { resultType: "task" }, "INVALID_RESPONSE"],
    [
      "that requires a model's reply",
      { status: "input_required", inputRequests: { one: { method: "sampling/createMessage", params: {} } } },
      "INPUT_REFUSED",
    ],
  ])("is answered %s", async (_what, changed, code) => {
    const server = await startTaskServer({
      change: (method, result) =>
        method === "tasks/get" ? JSON.parse(JSON.stringify({ ...result, ...changed })) : result,
    });
    const { task } = await createTask(server);
    const read = readMcpTask(endpointOf(server.url), requestFor(task));
    await expect(read).rejects.toMatchObject({ code });
  });

  it("has an id that no header can contain as it is", async () => {
    const taskId = "two\r\nlines: ä";
    const server = await startTaskServer({ change: (_method, result) => ({ ...result, taskId }) });
    const outcome = await call(server.url);
    expect(outcome).toMatchObject({ task: { taskId } });
    await cancelMcpTask(endpointOf(server.url), requestFor({ taskId })).catch(() => undefined);
    expect(server.requests.at(-1)?.headers["mcp-name"]).toMatch(/^=\?base64\?.+\?=$/);
  });
});

function textOf(length: number): object {
  return { content: [{ type: "text", text: "x".repeat(length) }] };
}

describe("the extension", () => {
  it("is declared by lists and calls alike", async () => {
    const server = await startTaskServer();
    await listMcpTools(endpointOf(server.url), { timeoutMs: 5_000, signal });
    await createTask(server);
    for (const { body } of server.requests.filter(({ body }) => !body.includes("server/discover"))) {
      const { params } = JSON.parse(body);
      expect(params._meta["io.modelcontextprotocol/clientCapabilities"].extensions).toEqual({ [TASKS]: {} });
    }
  });

  it("is not declared to servers of older revisions, whose tasks are another protocol", async () => {
    const server = await startFirstServer();
    await call(server.url, { name: "echo", arguments: { text: "hi" } });
    const initialized = server.requests.find(({ body }) => body.includes('"initialize"'));
    expect(JSON.parse(initialized?.body ?? "{}").params.capabilities).toEqual({});
  });

  it("does not change a list", async () => {
    const server = await startTaskServer({
      change: (method, result) => (method === "tools/list" ? { ...result, resultType: "task", taskId: "t" } : result),
    });
    await expect(listMcpTools(endpointOf(server.url), { timeoutMs: 5_000, signal })).rejects.toMatchObject({
      code: "SOURCE_UNREACHABLE",
    });
  });
});
