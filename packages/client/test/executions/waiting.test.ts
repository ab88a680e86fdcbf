import { describe, expect, it } from "vitest";
import { NotFinishedError, type Waiting } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, gate, recordRoutes, START_ROUTE, slowStream, wholeRun } from "../support/executions.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import { event, LATER, message } from "../support/records.ts";
import { eventStream, startScriptedGateway } from "../support/scripted-gateway.ts";

const REPORT_AFTER_MS = 100;
const call = { toolCallId: "tc_1", toolName: "lookup_order", parameters: { orderId: "ORD-1" } };
const asked = [
  message(event.started(1)),
  message(event.modelRequested(2)),
  message(event.requested(3, "tc_1")),
  message(event.approvalRequested(4, "tc_1", "apr_1")),
];
const waits = message(event.waiting(5, "approval"));

/** A client whose next event is seen before the test goes on. */
function worldOf(script: Parameters<typeof startScriptedGateway>[0]) {
  const runtime = manualRuntime();
  return { runtime, started: startScriptedGateway({ ...recordRoutes(), ...script }) };
}

describe("onWaiting", () => {
  it("is told what the execution waits for, and execute goes on when it does", async () => {
    const told = gate();
    const seen = gate();
    const { runtime, started } = worldOf({
      [START_ROUTE]: slowStream([...asked, waits, told.opened, message(event.completed(6))]),
    });
    const reports: Waiting[] = [];
    const result = clientOf(await started, {}, runtime).agents.execute("agt_01", {
      input: "hello",
      onEvent: ({ type }) => type === "execution.waiting" && setImmediate(seen.open),
      onWaiting(waiting) {
        reports.push(waiting);
        told.open();
      },
    });
    await seen.opened;
    expect(reports).toEqual([]);
    expect(runtime.expire(REPORT_AFTER_MS)).toBe(true);
    await expect(result).resolves.toMatchObject({ status: "completed" });
    expect(reports).toEqual([
      { executionId: "exec_01", reason: "approval", until: LATER, calls: [{ ...call, approvalId: "apr_1" }] },
    ]);
  });

  it("hears of no wait that was over when the listening began, and of the one that goes on", async () => {
    const seen = gate();
    const { runtime, started } = worldOf({
      [EVENTS_ROUTE]: eventStream(
        [
          ...[...asked, waits, message(event.approvalResolved(6, "tc_1", "apr_1"))],
          ...[message(event.attemptStarted(7, "tc_1")), message(event.waiting(8, "callback"))],
        ],
        { ending: "none" },
      ),
    });
    const reports: Waiting[] = [];
    const stream = clientOf(await started, {}, runtime).executions.events("exec_01", {
      onWaiting: (waiting) => void reports.push(waiting),
    });
    const reading = (async () => {
      for await (const each of stream) if (each.type === "execution.waiting" && each.seq === 8) seen.open();
    })();
    await seen.opened;
    while (runtime.expire(REPORT_AFTER_MS));
    expect(reports).toEqual([{ executionId: "exec_01", reason: "callback", until: LATER, calls: [call] }]);
    stream.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });

  it("hears of what is left when a person has answered only one of two questions", async () => {
    const seen = gate();
    const { runtime, started } = worldOf({
      [EVENTS_ROUTE]: eventStream(
        [
          ...[...asked, message(event.requested(5, "tc_2")), message(event.approvalRequested(6, "tc_2", "apr_2"))],
          ...[message(event.waiting(7, "approval")), message(event.approvalResolved(8, "tc_1", "apr_1"))],
        ],
        { ending: "none" },
      ),
    });
    const reports: Waiting[] = [];
    const stream = clientOf(await started, {}, runtime).executions.events("exec_01", {
      onWaiting: (waiting) => void reports.push(waiting),
    });
    const reading = (async () => {
      for await (const each of stream) if (each.type === "approval.resolved") seen.open();
    })();
    await seen.opened;
    while (runtime.expire(REPORT_AFTER_MS));
    expect(reports).toMatchObject([{ reason: "approval", calls: [call, { toolCallId: "tc_2", approvalId: "apr_2" }] }]);
    stream.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no time for that"))],
    [
      "rejects",
      () => {
        throw new Error("no time for that");
      },
    ],
  ])("ends the listening when it %s", async (_how, onWaiting) => {
    const seen = gate();
    const { runtime, started } = worldOf({ [START_ROUTE]: eventStream([...asked, waits], { ending: "none" }) });
    const result = clientOf(await started, {}, runtime).agents.execute("agt_01", {
      input: "hello",
      onEvent: ({ type }) => type === "execution.waiting" && setImmediate(seen.open),
      onWaiting,
    });
    await seen.opened;
    runtime.expire(REPORT_AFTER_MS);
    await expect(result).rejects.toThrow("no time for that");
  });
});

describe("maxWaitMs", () => {
  it("ends the waiting with what the execution waits for, and not the execution", async () => {
    const seen = gate();
    const { runtime, started } = worldOf({ [START_ROUTE]: eventStream([...asked, waits], { ending: "none" }) });
    const gateway = await started;
    const result = clientOf(gateway, {}, runtime).agents.execute("agt_01", {
      input: "hello",
      maxWaitMs: 5_000,
      onEvent: ({ type }) => type === "execution.waiting" && setImmediate(seen.open),
    });
    await seen.opened;
    expect(runtime.expire(5_000)).toBe(true);
    const error: unknown = await result.catch((reason: unknown) => reason);
    expect(NotFinishedError.is(error)).toBe(true);
    expect(error).toMatchObject({
      code: "NOT_FINISHED",
      message: `exec_01 did not end within 5000 ms; it is waiting for an approval apr_1 until ${LATER}`,
      executionId: "exec_01",
      waiting: { reason: "approval", calls: [{ approvalId: "apr_1" }] },
    });
    expect(gateway.seen.map(({ url }) => url)).not.toContain("/v1/executions/exec_01/cancel");
    expect(gateway.seen.map(({ bodyText }) => bodyText)).toEqual(['{"input":"hello"}']);
  });

  it.each<[string, object]>([
    ["execution.cancel_requested", {}],
    ["callback.received", { toolCallId: "tc_1", result: 1, bodyHash: "sha256:0" }],
    ["fallback.received", { toolCallId: "tc_1", isDeclined: true }],
    ["tool_call.late", { toolCallId: "tc_1", attemptId: "att_1", httpStatus: 200, elapsedMs: 1, responseBytes: 1 }],
  ])("still names the wait after %s", async (type, fields) => {
    const seen = gate();
    const passive = { type, seq: 6, at: LATER, executionId: "exec_01", ...fields };
    const events = [...asked, waits, message(passive)];
    const { runtime, started } = worldOf({ [START_ROUTE]: eventStream(events, { ending: "none" }) });
    const result = clientOf(await started, {}, runtime).agents.execute("agt_01", {
      input: "hello",
      maxWaitMs: 5_000,
      onEvent: (event) => event.type === type && setImmediate(seen.open),
    });
    await seen.opened;
    expect(runtime.expire(5_000)).toBe(true);
    await expect(result).rejects.toMatchObject({ code: "NOT_FINISHED", waiting: { reason: "approval" } });
  });

  it("says nothing of a wait where the execution is at work, and bounds streams too", async () => {
    const { runtime, started } = worldOf({
      [START_ROUTE]: eventStream([message(event.started(1))], { ending: "none" }),
    });
    const stream = clientOf(await started, {}, runtime).agents.stream("agt_01", { input: "hello", maxWaitMs: 7 });
    const reading = (async () => {
      for await (const _event of stream) runtime.expire(7);
    })();
    await expect(reading).rejects.toMatchObject({ code: "NOT_FINISHED", waiting: null });
    await expect(stream.result()).rejects.toMatchObject({ message: "exec_01 did not end within 7 ms" });
  });

  it("leaves no timer behind an execution that ended in time", async () => {
    const { runtime, started } = worldOf({ [START_ROUTE]: eventStream(wholeRun) });
    const client = clientOf(await started, {}, runtime);
    await client.agents.execute("agt_01", { input: "hello", maxWaitMs: 9 });
    expect(runtime.expire(9)).toBe(false);
  });

  it.each([0, -1, 1.5, 2_147_483_648, Number.NaN])("is not %d", async (maxWaitMs) => {
    const gateway = await startScriptedGateway({});
    const execution = clientOf(gateway).agents.execute("agt_01", { input: "hello", maxWaitMs });
    await expect(execution).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("maxWaitMs"),
    });
    expect(gateway.seen).toEqual([]);
  });

  it("stands beside an onWaiting that is a function", async () => {
    const gateway = await startScriptedGateway({});
    const options: object = { onWaiting: "log" };
    const execution = clientOf(gateway).agents.execute("agt_01", { input: "hello", ...options });
    await expect(execution).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("onWaiting"),
    });
    expect(gateway.seen).toEqual([]);
  });
});
