import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, recordRoutes, START_ROUTE, wholeRun } from "../support/executions.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import { event, executionRecord, message, toolCallRecord } from "../support/records.ts";
import { eventStream, hangUp, json, noContent, problem, startScriptedGateway } from "../support/scripted-gateway.ts";

describe("execute", () => {
  it("gives the execution's record with its tool calls", async () => {
    const toolCalls = [toolCallRecord("tc_1"), toolCallRecord("tc_2", { via: "fallback" })];
    const gateway = await startScriptedGateway({
      ...recordRoutes(executionRecord(), toolCalls),
      [START_ROUTE]: eventStream(wholeRun),
    });
    const result = await clientOf(gateway).agents.execute("agt_01", { input: "where is ORD-1?" });

    expect(result).toEqual({ ...executionRecord(), toolCalls, fallbackErrors: [] });
    expect(gateway.seen).toHaveLength(3);
  });

  it("asks for a stream, and sends what it was asked but nothing of its own options", async () => {
    const gateway = await startScriptedGateway({ ...recordRoutes(), [START_ROUTE]: eventStream(wholeRun) });
    const body = {
      input: [{ role: "user" as const, content: "hello" }],
      limits: { maxToolIterations: 2 },
      toolChoice: "auto" as const,
      scopes: ["orders"],
      caller: { userId: "42" },
      script: { turns: [{ text: "hi" }] },
      metadata: { ticket: 7 },
    };
    const { signal } = new AbortController();
    await clientOf(gateway).agents.execute("agt_01", {
      ...body,
      signal,
      idempotencyKey: "k",
      fallbackWaitMs: 5_000,
      onEvent: () => {},
    });

    expect(gateway.seen[0]?.headers).toMatchObject({ accept: "text/event-stream", "idempotency-key": "k" });
    // Without onToolError nobody would answer, and every failed call would be held for nothing.
    expect(gateway.seen[0]?.body).toEqual(body);
  });

  it.each<[string, number | undefined, object]>([
    ["for the gateway's own time", undefined, {}],
    ["for the time that was given", 5_000, { waitMs: 5_000 }],
  ])("has failed calls held %s when onToolError is given", async (_name, fallbackWaitMs, fallback) => {
    const gateway = await startScriptedGateway({ ...recordRoutes(), [START_ROUTE]: eventStream(wholeRun) });
    const request = { input: "hello", fallbackWaitMs, onToolError: () => undefined };
    await clientOf(gateway).agents.execute("agt_01", request);

    expect(gateway.seen[0]?.body).toEqual({ input: "hello", fallback });
  });

  it("resolves for an execution that failed, too", async () => {
    const failed = executionRecord({
      status: "failed",
      stopReason: "error",
      output: null,
      error: { code: "MODEL_ERROR", message: "the model provider failed" },
    });
    const gateway = await startScriptedGateway({
      ...recordRoutes(failed, []),
      [START_ROUTE]: eventStream([message(event.started(1)), message(event.failedExecution(2))]),
    });
    const result = await clientOf(gateway).agents.execute("agt_01", { input: "hello" });

    expect(result).toMatchObject({ status: "failed", output: null, error: { code: "MODEL_ERROR" }, toolCalls: [] });
  });

  it("tells onEvent of every event in order, deltas too", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([
        message(event.started(1)),
        ": heartbeat\n\n",
        message(event.delta("on ")),
        message(event.delta("its way")),
        message(event.completed(2)),
      ]),
    });
    const events: StreamEvent[] = [];
    await clientOf(gateway).agents.execute("agt_01", { input: "hello", onEvent: (each) => events.push(each) });

    expect(events).toEqual([event.started(1), event.delta("on "), event.delta("its way"), event.completed(2)]);
  });

  it("rejects with what onEvent throws, and stops listening", async () => {
    const mistake = new Error("a defect of the caller");
    const gateway = await startScriptedGateway({
      [START_ROUTE]: eventStream([message(event.started(1))], { ending: "none" }),
    });
    const onEvent = () => {
      throw mistake;
    };

    await expect(clientOf(gateway).agents.execute("agt_01", { input: "hello", onEvent })).rejects.toBe(mistake);
    expect(gateway.seen).toHaveLength(1);
  });

  it("rejects when the gateway refuses to start", async () => {
    const gateway = await startScriptedGateway({ [START_ROUTE]: problem(404, "NOT_FOUND") });
    const execute = clientOf(gateway).agents.execute("agt_01", { input: "hello" });

    await expect(execute).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
    expect(gateway.seen).toHaveLength(1);
  });

  it.each<[string, string]>([
    ["an empty id", ""],
    ["an id of another kind", "exec_01"],
    ["a path", "agt_01/../../workspaces"],
  ])("rejects %s before anything is sent", async (_name, agentId) => {
    const gateway = await startScriptedGateway({});
    const execute = clientOf(gateway).agents.execute(agentId, { input: "hello" });

    await expect(execute).rejects.toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining("agt_") });
    expect(gateway.seen).toHaveLength(0);
  });

  it("is started again, under the same key, after the gateway was not available", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: [problem(503, "UNAVAILABLE", { headers: { "retry-after": "3" } }), hangUp, eventStream(wholeRun)],
    });
    const runtime = manualRuntime();
    await clientOf(gateway, {}, runtime).agents.execute("agt_01", { input: "hello" });

    const starts = gateway.seenAt(START_ROUTE);
    expect(starts.map((request) => request.headers["idempotency-key"])).toEqual(["key-1", "key-1", "key-1"]);
    expect(runtime.delays).toEqual([3_500, 1_000]);
  });

  it("gives up a start that fails more often than maxRetries says", async () => {
    const gateway = await startScriptedGateway({ [START_ROUTE]: hangUp });
    const execute = clientOf(gateway, { maxRetries: 1 }).agents.execute("agt_01", { input: "hello" });

    await expect(execute).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(gateway.seen).toHaveLength(2);
  });

  it("says the same again although the caller has changed the request meanwhile", async () => {
    const metadata = { ticket: 1 };
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: [
        (response) => {
          metadata.ticket = 2;
          response.destroy();
        },
        eventStream(wholeRun),
      ],
    });
    await clientOf(gateway).agents.execute("agt_01", { input: "hello", metadata });

    expect(gateway.seenAt(START_ROUTE).map((request) => request.body)).toEqual([
      { input: "hello", metadata: { ticket: 1 } },
      { input: "hello", metadata: { ticket: 1 } },
    ]);
  });

  it("finds the events where the start was answered without a stream", async () => {
    const queued = executionRecord({ status: "queued", stopReason: null, output: null, startedAt: null });
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: json(201, queued),
      [EVENTS_ROUTE]: eventStream(wholeRun),
    });
    const result = await clientOf(gateway).agents.execute("agt_01", { input: "hello" });

    expect(result.status).toBe("completed");
    expect(gateway.seenAt(EVENTS_ROUTE)[0]?.headers).not.toHaveProperty("last-event-id");
  });

  it("is started again when the answer that was no stream broke off", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: [
        (response) => {
          response.writeHead(201, { "content-type": "application/json", "content-length": "1000" });
          response.write('{"id":', () => response.destroy());
        },
        eventStream(wholeRun),
      ],
    });
    await expect(clientOf(gateway).agents.execute("agt_01", { input: "hello" })).resolves.toHaveProperty("toolCalls");
  });

  it("repeats the reading of the record", async () => {
    const routes = recordRoutes();
    const gateway = await startScriptedGateway({
      ...routes,
      "GET /v1/executions/exec_01": [noContent(503), json(200, executionRecord())],
      [START_ROUTE]: eventStream(wholeRun),
    });
    await expect(clientOf(gateway).agents.execute("agt_01", { input: "hello" })).resolves.toHaveProperty("toolCalls");
  });

  it.each<[string, object]>([
    ["an event that lacks a field", { ...event.completed(1), output: undefined }],
    ["an event without a type", { ...event.completed(1), type: undefined }],
  ])("rejects %s", async (_name, wrong) => {
    const gateway = await startScriptedGateway({
      [START_ROUTE]: eventStream([`data: ${JSON.stringify(wrong)}\n\n`]),
    });
    const execute = clientOf(gateway).agents.execute("agt_01", { input: "hello" });

    await expect(execute).rejects.toMatchObject({ code: "INVALID_RESPONSE" });
    expect(gateway.seen).toHaveLength(1);
  });
});
