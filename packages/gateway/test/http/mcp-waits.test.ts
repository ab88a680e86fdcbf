import { newId } from "@yagate/lib/ids/ids";
import type { CallToolResult, ServedCall, ServedTools } from "@yagate/mcp/server/port";
import { createChangeRecorder, SCHEDULE } from "@yagate/store/tables/change-recorder";
import { afterAll, expect, it } from "vitest";
import { type AgentToolsOptions, createAgentTools } from "../../src/exposed-agents/agent-tools.ts";
import { makeAgent } from "./support/agents.ts";
import { startApp } from "./support/app.ts";
import { startHandler, workTool } from "./support/handler.ts";

const app = await startApp();
afterAll(() => app.stop());

const DESK = { name: "Desk", model: "scripted/keyword", exposed: true };

/** The tools of the default workspace. */
function toolsWith(change: Partial<AgentToolsOptions> = {}): ServedTools {
  const { store, executions, defaultWorkspaceId: workspaceId } = app.composed;
  const toolsOf = createAgentTools({
    ...{ exposedAgents: store.exposedAgents, agents: store.agents, executions },
    isPriced: () => true,
    onError: (error) => expect.unreachable(String(error)),
    ...change,
  });
  return toolsOf({ workspaceId, keyId: null, keyRouting: undefined, onStarted() {}, recorder });
}

const recorder = createChangeRecorder(SCHEDULE, { now: Date.now, newId });

async function call(
  tools: ServedTools,
  name: string,
  args: object,
  change: Partial<ServedCall> = {},
): Promise<CallToolResult | undefined> {
  const { signal } = new AbortController();
  const given = { acceptsTask: false, acceptsLinks: false, isCancelledWithCall: false, signal, onProgress() {} };
  const outcome = await tools.call({ name, arguments: { ...args }, ...given, ...change });
  return outcome !== undefined && "result" in outcome ? outcome.result : undefined;
}

it("a call that waits no longer states that the execution goes on, and its result can be awaited", async () => {
  const handler = await startHandler({ isHeld: true });
  await makeAgent(app, { ...DESK, tools: [workTool(handler.url)] });
  const limit = new AbortController();
  const tools = toolsWith({ waitLimit: () => limit.signal });
  const started = call(tools, "desk", { input: "Do the work" });
  await handler.called(1);
  limit.abort();
  const unfinished = await started;
  const executionId = unfinished?._meta?.["yagate/executionId"];
  expect(unfinished).toEqual({
    content: [
      {
        type: "text",
        text: `The execution ${executionId} is still running. To wait for its result, call execution_result with this executionId.`,
      },
    ],
    _meta: { "yagate/executionId": executionId, "yagate/executionStatus": "running" },
  });
  expect(await call(tools, "execution_result", { executionId })).toEqual(unfinished);
  const ended = call(toolsWith(), "execution_result", { executionId });
  handler.release();
  expect(await ended).toMatchObject({ _meta: { "yagate/executionStatus": "completed" } });
});

it("a call that waits no longer continues as a task if its client accepts one", async () => {
  const handler = await startHandler({ isHeld: true });
  await makeAgent(app, { ...DESK, name: "Task desk", tools: [workTool(handler.url)] });
  const limit = new AbortController();
  const asked: boolean[] = [];
  const tools = toolsWith({
    waitLimit({ acceptsTask }) {
      asked.push(acceptsTask);
      return limit.signal;
    },
  });
  const { signal } = new AbortController();
  const given = { acceptsTask: true, acceptsLinks: false, isCancelledWithCall: false, signal, onProgress() {} };
  const started = tools.call({ name: "task_desk", arguments: { input: "Do the work" }, ...given });
  await handler.called(1);
  limit.abort();
  const outcome = await started;
  const task = outcome !== undefined && "task" in outcome ? outcome.task : undefined;
  expect(task).toEqual({
    ...{ taskId: expect.stringMatching(/^exec_/), status: "working" },
    ...{ createdAt: expect.any(String), lastUpdatedAt: expect.any(String) },
  });
  handler.release();
  const taskId = task?.taskId ?? "";
  await expect
    .poll(() => tools.tasks.find(taskId))
    .toMatchObject({ status: "completed", result: { content: [{ type: "text" }] } });
  await call(tools, "execution_result", { executionId: taskId });
  expect(asked).toEqual([true]);
});

it.each<[string, object, RegExp]>([
  ["an execution that does not exist", { executionId: "exec_01m7yj864ke00brb1mkxjenfhm" }, /^NOT_FOUND: no execution/],
  ["an id of something else", { executionId: "agt_01m7yj864ke00brb1mkxjenfhm" }, /^INVALID_REQUEST: /],
])("the result of %s is an error", async (_what, args, expected) => {
  const result = await call(toolsWith(), "execution_result", args);
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(expected) }] });
});

it("the text of an unexpected error stays in the log", async () => {
  const logged: unknown[] = [];
  const failure = new Error("password of the database");
  const fail = () => Promise.reject(failure);
  const tools = toolsWith({ exposedAgents: { find: fail, list: fail }, onError: (error) => logged.push(error) });
  const text = "INTERNAL: the gateway failed; its log has the details";
  expect(await call(tools, "desk", { input: "hello" })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining(text) }],
  });
  await expect(tools.list(undefined)).rejects.toMatchObject({ code: "INTERNAL", message: text.slice(10) });
  expect(logged).toEqual([failure, failure]);
});
