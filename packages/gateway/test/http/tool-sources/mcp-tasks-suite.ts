import type { JsonObject } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askForColour, complete } from "../../../../mcp/test/client/support/task-server.ts";
import type { GatewayConfig } from "../../../src/config/gateway-config.ts";
import { expectStatus } from "../support/agents.ts";
import { type McpWorld, startMcpWorld } from "../support/mcp-world.ts";
import { type StartedCall, startTask, startTaskCall } from "../support/task-calls.ts";

type Configure = () => Promise<Partial<GatewayConfig>>;

const GREEN = { colour: { action: "accept", content: { colour: "green" } } } as const;

/** Opens one gateway for all tests of a suite. */
function openOnce(configure: Configure): () => McpWorld {
  let world: McpWorld | undefined;
  beforeAll(async () => {
    world = await startMcpWorld(await configure());
  }, 60_000);
  afterAll(() => world?.stop());
  return () => {
    if (world === undefined) throw new Error("expected a gateway");
    return world;
  };
}

async function answer(world: McpWorld, { call }: StartedCall, answers: JsonObject) {
  const { text: key } = await world.makeKey(["approvals"]);
  return world.call("answerInputRequest", { params: { id: (await call()).id }, key, body: { round: 1, answers } });
}

/** Runs the most important cases of tasks. */
export function describeMcpTasks(where: string, configure: Configure): void {
  const open = openOnce(configure);

  describe(`a call that an MCP server continues as a task, ${where}`, () => {
    it("waits for the task without a request in between, and completes with its result", async () => {
      const started = await startTask(open());
      expect(await started.call()).toMatchObject({ status: "waiting_task", task: { id: started.task.taskId } });
      complete(started.task, "worked");
      expect(await started.end()).toMatchObject({ status: "completed", result: "worked" });
      expect(await started.events()).toMatchObject([
        { type: "attempt.started" },
        { type: "attempt.finished" },
        { type: "task.created", taskId: started.task.taskId, ttlMs: 60_000, pollIntervalMs: 1_000 },
        { type: "tool_call.completed", result: "worked" },
      ]);
      expect(started.server.methods.filter((method) => method.startsWith("tasks/"))).toEqual(["tasks/get"]);
    });

    it("cancels the task if the execution is cancelled", async () => {
      const started = await startTask(open());
      await started.cancel();
      expect(await started.end()).toMatchObject({
        status: "cancelled",
        error: { code: "CANCELLED", outcome: "unknown" },
      });
      expect(started.task.status).toBe("cancelled");
    });

    it("asks a person through the task, sends the answer once, and goes on", async () => {
      const started = await startTask(open());
      askForColour(started.task);
      await started.reader.until("input.requested");
      await started.reader.until("execution.waiting");
      expect(await started.call()).toMatchObject({ status: "waiting_input", input: { round: 1, status: "pending" } });
      expectStatus(await answer(open(), started, GREEN), 200);
      await started.server.answered("tasks/update");
      expect(started.task.answers).toEqual(GREEN);
      complete(started.task, "painted green");
      expect(await started.end()).toMatchObject({ status: "completed", result: "painted green" });
      expect(started.server.updates).toEqual([GREEN]);
      expect((await started.events()).map(({ type }) => type)).toEqual([
        ...["attempt.started", "attempt.finished", "task.created", "input.requested", "input.received"],
        ...["input.delivered", "tool_call.completed"],
      ]);
    });
  });
}

/** Runs all other cases of tasks. */
export function describeMcpTaskFaults(where: string, configure: Configure): void {
  const open = openOnce(configure);

  describe(`the task of a call, ${where}`, () => {
    it("fails as the task fails", async () => {
      const started = await startTask(open());
      Object.assign(started.task, { status: "failed", error: { code: -32_603, message: "secret text" } });
      const { error } = await started.end();
      expect(error).toMatchObject({ code: "HANDLER_ERROR", outcome: "unknown", attempts: 1 });
      expect(JSON.stringify(error)).not.toContain("secret text");
    });

    it("fails with what the tool reports", async () => {
      const started = await startTask(open());
      Object.assign(started.task, {
        status: "completed",
        result: { content: [{ type: "text", text: "out of paint" }], isError: true },
      });
      expect(await started.end()).toMatchObject({
        ...{ status: "failed", error: { code: "HANDLER_ERROR", outcome: "none", details: "out of paint" } },
      });
    });

    it("has an unknown outcome if the server forgets the task", async () => {
      const started = await startTask(open());
      started.server.tasks.clear();
      expect(await started.end()).toMatchObject({ error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } });
    });

    it("ends after the time that the server gives the task, and cancels it", async () => {
      const started = await startTask(open(), { ttlMs: 1_500 });
      expect(await started.end()).toMatchObject({ error: { code: "TIMEOUT", outcome: "unknown" } });
      expect(started.task.status).toBe("cancelled");
    });

    it.each<[string, (source: { readonly id: string }) => Promise<unknown>]>([
      ["its tool is revoked", (params) => open().call("revokeTools", { params })],
      [
        "its source gets another URL",
        (params) => open().call("updateToolSource", { params, body: { url: OTHER_URL } }),
      ],
      ["its source is deleted", (params) => open().call("deleteToolSource", { params, query: { force: "true" } })],
    ])("is cancelled, and its server gets no answers, if %s", async (_what, withdraw) => {
      const started = await startTask(open());
      askForColour(started.task);
      await started.reader.until("input.requested");
      await started.reader.until("execution.waiting");
      await withdraw({ id: started.sourceId });
      const before = started.server.methods.length;
      expectStatus(await answer(open(), started, GREEN), 200);
      expect(await started.end()).toMatchObject({ error: { code: "TOOL_HELD", outcome: "unknown" } });
      expect(started.task).toMatchObject({ status: "cancelled", answers: {} });
      const later = started.server.methods.slice(before);
      expect(later.filter((method) => method.startsWith("tasks/"))).toEqual(["tasks/cancel"]);
    });

    // The gateway asks about the task a minute after the question.
    it("ends, and withdraws its question, if the server goes on without an answer", { timeout: 120_000 }, async () => {
      const started = await startTask(open(), { ttlMs: null });
      askForColour(started.task);
      await started.reader.until("input.requested");
      await started.reader.until("execution.waiting");
      complete(started.task, "painted red");
      expect(await started.end()).toMatchObject({ result: "painted red", input: { status: "cancelled" } });
      expect(started.server.updates).toEqual([]);
    });

    it("cancels the task if the execution is cancelled while a question is open", async () => {
      const started = await startTask(open());
      askForColour(started.task);
      await started.reader.until("input.requested");
      await started.reader.until("execution.waiting");
      await started.cancel();
      expect(await started.end()).toMatchObject({ status: "cancelled", input: { status: "cancelled" } });
      expect(started.task.status).toBe("cancelled");
      expect((await answer(open(), started, GREEN)).status).toBe(409);
    });
  });

  describe(`a hostile server of tasks, ${where}`, () => {
    it.each<[string, JsonObject, number]>([
      ["0", { pollIntervalMs: 0 }, 1_000],
      ["negative", { pollIntervalMs: -5 }, 1_000],
      ["huge", { pollIntervalMs: 1e300, ttlMs: 1e300 }, 3_600_000],
      ["absent", { pollIntervalMs: null }, 5_000],
    ])("suggests an interval that is %s, and gets a bounded one", async (_what, times, pollIntervalMs) => {
      const change = (method: string, result: JsonObject) =>
        method === "tools/call" ? { ...result, ...times } : result;
      const started = await startTask(open(), { change });
      await started.cancel();
      await started.end();
      expect(await started.events()).toContainEqual(expect.objectContaining({ type: "task.created", pollIntervalMs }));
    });

    it.each<[string, (result: JsonObject) => JsonObject, string]>([
      ["an id of 1 MB", (result) => ({ ...result, taskId: "x".repeat(100_000) }), "INVALID_RESPONSE"],
      ["no id", ({ taskId: _taskId, ...result }) => result, "INVALID_RESPONSE"],
    ])("gives the task %s: the call has an unknown outcome and is not repeated", async (_what, change, code) => {
      const started = await startTaskCall(
        open(),
        { change: (method, result) => (method === "tools/call" ? change(result) : result) },
        { overrides: { work: { retries: 3 } } },
      );
      expect(await started.end()).toMatchObject({ error: { code, outcome: "unknown", attempts: 1 } });
    });

    it.each<[string, object, string]>([
      ["a result past the limit", { status: "completed", result: textOf(3_000_000) }, "RESPONSE_TOO_LARGE"],
      ["a result of another kind", { status: "completed", result: { done: true } }, "INVALID_RESPONSE"],
      ["a question for a model", { status: "input_required", inputRequests: SAMPLING }, "INPUT_REFUSED"],
    ])("responds with %s", async (_what, state, code) => {
      const started = await startTask(open());
      Object.assign(started.task, state);
      expect(await started.end()).toMatchObject({ status: "failed", error: { code, outcome: "unknown" } });
      expect(started.server.methods).toContain("tasks/cancel");
    });
  });
}

const OTHER_URL = "http://127.0.0.1:9/mcp";
const SAMPLING = { one: { method: "sampling/createMessage", params: { messages: [] } } };

function textOf(length: number): object {
  return { content: [{ type: "text", text: "x".repeat(length) }] };
}
