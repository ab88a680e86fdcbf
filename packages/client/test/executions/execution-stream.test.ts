import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { ExecutionStream } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, gate, recordRoutes, START_ROUTE, slowStream, wholeRun } from "../support/executions.ts";
import { event, executionRecord, message } from "../support/records.ts";
import { eventStream, hangUp, noContent, problem, startScriptedGateway } from "../support/scripted-gateway.ts";

const started = message(event.started(1));
const requested = message(event.requested(2, "tc_1"));

async function typesOf(stream: ExecutionStream): Promise<string[]> {
  const types: string[] = [];
  for await (const each of stream) types.push(each.type);
  return types;
}

describe("stream", () => {
  it("gives the events, the execution's id and the result", async () => {
    const gateway = await startScriptedGateway({ ...recordRoutes(), [START_ROUTE]: eventStream(wholeRun) });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });

    await expect(typesOf(stream)).resolves.toEqual(["execution.started", "model.requested", "execution.completed"]);
    await expect(stream.executionId).resolves.toBe("exec_01");
    await expect(stream.result()).resolves.toMatchObject({ ...executionRecord(), toolCalls: [{ id: "tc_1" }] });
  });

  it("gives each event as it happens", async () => {
    const seen = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: slowStream([started, seen.opened, message(event.completed(2))]),
    });
    const types: string[] = [];
    for await (const each of clientOf(gateway).agents.stream("agt_01", { input: "hello" })) {
      types.push(each.type);
      // The gateway goes on only when the first event has arrived here.
      seen.open();
    }

    expect(types).toEqual(["execution.started", "execution.completed"]);
  });

  it("gives its result without a loop, and the same one each time", async () => {
    const gateway = await startScriptedGateway({ ...recordRoutes(), [START_ROUTE]: eventStream(wholeRun) });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });

    expect(stream.result()).toBe(stream.result());
    await expect(stream.result()).resolves.toMatchObject({ status: "completed" });
    expect(gateway.seen).toHaveLength(3);
    await expect(typesOf(stream)).resolves.toHaveLength(3);
  });

  it("gives its result beside a loop, and neither takes events from the other", async () => {
    const gateway = await startScriptedGateway({ ...recordRoutes(), [START_ROUTE]: eventStream(wholeRun) });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    const [result, types] = await Promise.all([stream.result(), typesOf(stream)]);

    expect([result.status, types.length]).toEqual(["completed", 3]);
  });

  it("asks onToolError although the loop is busy", async () => {
    const answered = gate();
    const until = "2026-11-21T06:00:30.000Z";
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: slowStream([started, requested, message(event.failed(3, "tc_1", until)), answered.opened]),
      [EVENTS_ROUTE]: eventStream([message(event.completed(4))]),
      "POST /v1/tool-calls/tc_1/fallback": (response) => void response.writeHead(204).end(answered.open),
    });
    const client = clientOf(gateway);
    const stream = client.agents.stream("agt_01", { input: "hello", onToolError: () => ({ result: 1 }) });
    for await (const each of stream) {
      if (each.type === "execution.started") await answered.opened;
    }

    expect(gateway.seenAt("POST /v1/tool-calls/tc_1/fallback")).toHaveLength(1);
  });

  it("stops listening when the loop is left, and takes it up for another loop or the result", async () => {
    const closed = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: (response, request) => {
        response.on("close", closed.open);
        return eventStream([started], { ending: "none" })(response, request);
      },
      [EVENTS_ROUTE]: [
        eventStream([requested], { ending: "none" }),
        eventStream([message(event.modelRequested(3)), message(event.completed(4))]),
      ],
    });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    const types: string[] = [];
    for await (const each of stream) {
      types.push(each.type);
      break;
    }
    await closed.opened;
    for await (const each of stream) {
      types.push(each.type);
      break;
    }
    const result = await stream.result();

    expect(result.status).toBe("completed");
    expect(types).toEqual(["execution.started", "tool_call.requested"]);
    expect(gateway.seenAt(EVENTS_ROUTE).map((seen) => seen.headers["last-event-id"])).toEqual(["1", "2"]);
    await expect(typesOf(stream)).resolves.toEqual(["model.requested", "execution.completed"]);
  });

  it("gives another loop its events although the connection of the loop before is still closing", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started], { ending: "none" }),
      [EVENTS_ROUTE]: eventStream([requested, message(event.completed(3))]),
    });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    for await (const _event of stream) break;

    await expect(typesOf(stream)).resolves.toEqual(["tool_call.requested", "execution.completed"]);
  });

  it("closes its connection after the last event, though the gateway does not", async () => {
    const closed = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: (response, request) => {
        response.on("close", closed.open);
        return eventStream(wholeRun, { ending: "none" })(response, request);
      },
    });
    await expect(typesOf(clientOf(gateway).agents.stream("agt_01", { input: "hello" }))).resolves.toHaveLength(3);
    await closed.opened;
  });

  it("leaves nothing behind on the caller's signal", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: [noContent(503), eventStream([started], { ending: "broken" })],
      [EVENTS_ROUTE]: [noContent(503), eventStream([requested, message(event.completed(3))])],
    });
    const { signal } = new AbortController();
    await clientOf(gateway).agents.execute("agt_01", { input: "hello", signal });

    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("goes on listening after the loop was left when the result was asked for before", async () => {
    const left = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: slowStream([started, left.opened, message(event.completed(2))]),
    });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    const result = stream.result();
    for await (const _event of stream) break;
    left.open();

    await expect(result).resolves.toMatchObject({ status: "completed" });
    expect(gateway.seenAt(EVENTS_ROUTE)).toHaveLength(0);
  });

  it("ends with the signal's reason, in the loop and in the result; the execution is not cancelled", async () => {
    const gateway = await startScriptedGateway({ [START_ROUTE]: eventStream([started], { ending: "none" }) });
    const controller = new AbortController();
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello", signal: controller.signal });
    const reason = new Error("the user left");
    const types: string[] = [];
    const loop = (async () => {
      for await (const each of stream) {
        types.push(each.type);
        controller.abort(reason);
      }
    })();

    await expect(loop).rejects.toBe(reason);
    await expect(stream.result()).rejects.toBe(reason);
    await expect(stream.executionId).resolves.toBe("exec_01");
    expect(types).toEqual(["execution.started"]);
    expect(gateway.seen).toHaveLength(1);
  });

  it("gives what came before an error first", async () => {
    const gateway = await startScriptedGateway({
      [START_ROUTE]: eventStream([started], { ending: "broken" }),
      [EVENTS_ROUTE]: problem(403, "FORBIDDEN"),
    });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    await expect(stream.result()).rejects.toMatchObject({ code: "FORBIDDEN" });
    const types: string[] = [];
    const loop = (async () => {
      for await (const each of stream) types.push(each.type);
    })();

    await expect(loop).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(types).toEqual(["execution.started"]);
  });

  it("says everywhere that it could not start, and crashes nobody who does not look", async () => {
    const gateway = await startScriptedGateway({ [START_ROUTE]: problem(401, "UNAUTHENTICATED") });
    const client = clientOf(gateway);
    client.agents.stream("agt_01", { input: "hello" });
    const stream = client.agents.stream("agt_01", { input: "hello" });

    await expect(stream.executionId).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(typesOf(stream)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(stream.result()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

describe("executions.events", () => {
  it("gives the events of an execution from its first", async () => {
    const gateway = await startScriptedGateway({ ...recordRoutes(), [EVENTS_ROUTE]: eventStream(wholeRun) });
    const stream = clientOf(gateway).executions.events("exec_01");

    await expect(stream.executionId).resolves.toBe("exec_01");
    await expect(typesOf(stream)).resolves.toHaveLength(3);
    expect(gateway.seen[0]?.headers).not.toHaveProperty("last-event-id");
  });

  it("gives the events after the last one that was seen, over a broken connection too", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [EVENTS_ROUTE]: [hangUp, eventStream(wholeRun)],
    });
    const stream = clientOf(gateway).executions.events("exec_01", { lastEventId: 2 });

    await expect(typesOf(stream)).resolves.toEqual(["execution.completed"]);
    expect(gateway.seen.map((seen) => seen.headers["last-event-id"])).toEqual(["2", "2"]);
  });

  it("ends when the final event was seen before", async () => {
    const gateway = await startScriptedGateway({ ...recordRoutes(), [EVENTS_ROUTE]: eventStream([]) });
    const stream = clientOf(gateway).executions.events("exec_01", { lastEventId: 3 });

    await expect(typesOf(stream)).resolves.toEqual([]);
    await expect(stream.result()).resolves.toMatchObject({ status: "completed" });
    expect(gateway.seenAt(EVENTS_ROUTE)).toHaveLength(2);
  });

  it("gives the final event of an execution that ended just after the stream did", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [EVENTS_ROUTE]: [eventStream([]), eventStream([message(event.completed(3))])],
    });
    const stream = clientOf(gateway).executions.events("exec_01", { lastEventId: 2 });

    await expect(typesOf(stream)).resolves.toEqual(["execution.completed"]);
  });

  it.each(["", "agt_01", "exec_01/../x"])("refuses the id %j before anything is sent", async (id) => {
    const gateway = await startScriptedGateway({});
    expect(() => clientOf(gateway).executions.events(id)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
    expect(gateway.seen).toHaveLength(0);
  });
});
