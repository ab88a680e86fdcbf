import { describe, expect, it } from "vitest";
import type { ExecutionResult, OnToolError, ToolFailure } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, gate, recordRoutes, START_ROUTE, slowStream } from "../support/executions.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import { event, message, toolCallRecord } from "../support/records.ts";
import {
  eventStream,
  GATEWAY_DATE,
  hangUp,
  json,
  noContent,
  problem,
  type Responder,
  startScriptedGateway,
} from "../support/scripted-gateway.ts";

const UNTIL = new Date(Date.parse(GATEWAY_DATE) + 30_000).toISOString();
const FALLBACK_ROUTE = "POST /v1/tool-calls/tc_1/fallback";

const started = message(event.started(1));
const requested = message(event.requested(2, "tc_1"));
const failed = message(event.failed(3, "tc_1", UNTIL));
const completed = message(event.completed(4));

/** A run in which one call fails and is held until its fallback's route was asked. */
async function runWith(
  onToolError: OnToolError,
  { answer = noContent(), nowMs = Date.parse(GATEWAY_DATE) }: { answer?: Responder; nowMs?: number } = {},
): Promise<{ result: ExecutionResult; answers: unknown[] }> {
  const answered = gate();
  const gateway = await startScriptedGateway({
    ...recordRoutes(),
    [START_ROUTE]: slowStream([started, requested, failed, answered.opened, completed]),
    [FALLBACK_ROUTE]: async (response, request) => {
      await answer(response, request);
      response.on("close", answered.open);
    },
  });
  const client = clientOf(gateway, { maxRetries: 0 }, manualRuntime(nowMs));
  const result = await client.agents.execute("agt_01", { input: "hello", onToolError });
  return { result, answers: gateway.seenAt(FALLBACK_ROUTE).map((seen) => seen.body) };
}

describe("onToolError", () => {
  it("gets the error and what the tool was asked for", async () => {
    const failures: ToolFailure[] = [];
    await runWith((error) => {
      failures.push(error);
    });

    expect(failures).toEqual([
      {
        code: "HANDLER_ERROR",
        message: "the handler failed",
        retryable: true,
        outcome: "none",
        source: "gateway",
        toolName: "lookup_order",
        toolCallId: "tc_1",
        attempts: 1,
        executionId: "exec_01",
        parameters: { orderId: "ORD-1" },
        fallbackUntil: UNTIL,
      },
    ]);
  });

  it.each<[string, OnToolError, object]>([
    ["a result", () => ({ result: { status: "unknown" } }), { result: { status: "unknown" } }],
    ["a result that comes later", async () => ({ result: [1, null] }), { result: [1, null] }],
    ["null as a result", () => ({ result: null }), { result: null }],
    ["a date, as JSON has it", () => ({ result: new Date(0) }), { result: "1970-01-01T00:00:00.000Z" }],
    ["nothing", () => {}, { decline: true }],
    ["undefined", async () => undefined, { decline: true }],
    ["no value for the result", () => ({ result: undefined }), { decline: true }],
  ])("may return %s", async (_name, onToolError, answer) => {
    const { result, answers } = await runWith(onToolError);
    expect(answers).toEqual([answer]);
    expect(result.fallbackErrors).toEqual([]);
  });

  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  // What a caller without types may return.
  const bareText: ReturnType<OnToolError> = JSON.parse('"on its way"');

  it.each<[string, OnToolError]>([
    [
      "throws",
      () => {
        throw new TypeError("a defect");
      },
    ],
    ["rejects", () => Promise.reject(new TypeError("a defect"))],
    ["returns no object", () => bareText],
    ["returns a result that is no JSON", () => ({ result: circle })],
    ["returns a function as the result", () => ({ result: () => 1 })],
    ["returns a big integer as the result", () => ({ result: 10n })],
  ])("declines when it %s; the run goes on, and its result says so", async (_name, onToolError) => {
    const { result, answers } = await runWith(onToolError);

    expect(answers).toEqual([{ decline: true }]);
    expect(result.status).toBe("completed");
    expect(result.fallbackErrors).toEqual([
      { toolCallId: "tc_1", toolName: "lookup_order", error: expect.any(TypeError) },
    ]);
  });

  it("is no error of the run when its answer came too late", async () => {
    const { result, answers } = await runWith(() => ({ result: 1 }), { answer: problem(409, "CONFLICT") });

    expect(answers).toEqual([{ result: 1 }]);
    expect(result).toMatchObject({ status: "completed", fallbackErrors: [] });
  });

  it("leaves a mark in the result when the gateway refuses its answer", async () => {
    const { result } = await runWith(() => ({ result: 1 }), { answer: problem(403, "FORBIDDEN") });
    expect(result.fallbackErrors).toMatchObject([{ toolCallId: "tc_1", error: { code: "FORBIDDEN", status: 403 } }]);
  });

  it.each<[string, number]>([
    ["an hour ahead", 3_600_000],
    ["an hour behind", -3_600_000],
  ])("is asked although the caller's clock is %s", async (_name, offsetMs) => {
    const nowMs = Date.parse(GATEWAY_DATE) + offsetMs;
    const { answers } = await runWith(() => ({ result: 1 }), { nowMs });
    expect(answers).toEqual([{ result: 1 }]);
  });

  it.each<[string, string]>([
    ["is not held", message(event.failed(3, "tc_1"))],
    ["was held until now", message(event.failed(3, "tc_1", new Date(GATEWAY_DATE).toISOString()))],
  ])("is not asked about a call that %s", async (_name, failure) => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started, requested, failure, completed]),
    });
    let calls = 0;
    const onToolError = () => {
      calls += 1;
    };
    await clientOf(gateway).agents.execute("agt_01", { input: "hello", onToolError });

    expect(calls).toBe(0);
  });

  it("is asked once, however often a broken stream repeats the failure", async () => {
    const [repeated, answered] = [gate(), gate()];
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      // The first stream breaks before the failure is answered, the others repeat everything.
      [START_ROUTE]: eventStream([started, requested, failed], { ending: "broken" }),
      [EVENTS_ROUTE]: [
        eventStream([started, requested, failed], { ending: "broken" }),
        (response, request) => {
          repeated.open();
          return slowStream([started, requested, failed, answered.opened, completed])(response, request);
        },
      ],
      [FALLBACK_ROUTE]: (response) => void response.writeHead(204).end(answered.open),
    });
    let calls = 0;
    const onToolError = async () => {
      calls += 1;
      await repeated.opened;
      return { result: 1 };
    };
    const result = await clientOf(gateway).agents.execute("agt_01", { input: "hello", onToolError });

    expect(calls).toBe(1);
    expect(gateway.seenAt(FALLBACK_ROUTE)).toHaveLength(1);
    expect(result.fallbackErrors).toEqual([]);
  });

  it("is asked once about a call whose failure is in the log twice", async () => {
    const again = message(event.failed(4, "tc_1", UNTIL));
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started, requested, failed, again, message(event.completed(5))]),
      [FALLBACK_ROUTE]: noContent(),
    });
    let calls = 0;
    const onToolError = () => {
      calls += 1;
    };
    await clientOf(gateway).agents.execute("agt_01", { input: "hello", onToolError });

    expect(calls).toBe(1);
  });

  it("is asked about calls that fail together at the same time", async () => {
    const answered = [gate(), gate()];
    const answerOf =
      (at: number): Responder =>
      (response) => {
        response.writeHead(204).end(answered[at]?.open);
      };
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: slowStream([
        started,
        requested,
        message(event.requested(3, "tc_2")),
        message(event.failed(4, "tc_1", UNTIL)),
        message(event.failed(5, "tc_2", UNTIL)),
        Promise.all(answered.map((each) => each.opened)),
        message(event.completed(6)),
      ]),
      [FALLBACK_ROUTE]: answerOf(0),
      "POST /v1/tool-calls/tc_2/fallback": answerOf(1),
    });
    const bothAsked = gate();
    const asked: string[] = [];
    const onToolError = async ({ toolCallId }: ToolFailure) => {
      asked.push(toolCallId);
      // Neither can finish before the other has begun.
      if (asked.length === 2) bothAsked.open();
      await bothAsked.opened;
      return { result: toolCallId };
    };
    await clientOf(gateway).agents.execute("agt_01", { input: "hello", onToolError });

    expect(asked).toEqual(["tc_1", "tc_2"]);
    expect(gateway.seenAt(FALLBACK_ROUTE)[0]?.body).toEqual({ result: "tc_1" });
    expect(gateway.seenAt("POST /v1/tool-calls/tc_2/fallback")[0]?.body).toEqual({ result: "tc_2" });
  });

  it("does not hold up the end when it answers too late", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started, requested, failed, completed]),
    });
    const onToolError = () => new Promise<never>(() => {});

    await expect(clientOf(gateway).agents.execute("agt_01", { input: "hello", onToolError })).resolves.toMatchObject({
      status: "completed",
    });
  });

  it("has its answer repeated, under the same key, when the connection breaks", async () => {
    const answered = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: slowStream([started, requested, failed, answered.opened, completed]),
      [FALLBACK_ROUTE]: [hangUp, (response) => void response.writeHead(204).end(answered.open)],
    });
    const onToolError = () => ({ result: 1 });
    await clientOf(gateway).agents.execute("agt_01", { input: "hello", onToolError });

    const [first, second] = gateway.seenAt(FALLBACK_ROUTE);
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(first?.headers["idempotency-key"]).toBe("key-2");
  });

  it("answers an execution that another process has started, whose earlier events were not read", async () => {
    const answered = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [EVENTS_ROUTE]: slowStream([failed, answered.opened, completed]),
      "GET /v1/tool-calls/tc_1": json(200, toolCallRecord("tc_1", { parameters: { orderId: "ORD-9" } })),
      [FALLBACK_ROUTE]: (response) => void response.writeHead(204).end(answered.open),
    });
    const failures: ToolFailure[] = [];
    const onToolError = (error: ToolFailure) => {
      failures.push(error);
      return { result: 1 };
    };
    const events = clientOf(gateway).executions.events("exec_01", { lastEventId: 2, onToolError });
    await events.result();

    expect(failures).toMatchObject([{ parameters: { orderId: "ORD-9" }, executionId: "exec_01" }]);
    expect(gateway.seenAt(FALLBACK_ROUTE)).toHaveLength(1);
  });
});
