import { describe, expect, it } from "vitest";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, gate, recordRoutes, START_ROUTE, slowStream } from "../support/executions.ts";
import { event, message } from "../support/records.ts";
import { eventStream, startScriptedGateway } from "../support/scripted-gateway.ts";

type Told = { type: string; seq?: unknown };

async function textOf(events: readonly Told[]): Promise<readonly string[]> {
  const gateway = await startScriptedGateway({
    ...recordRoutes(),
    [START_ROUTE]: eventStream([event.started(1), ...events].map((each) => message(each))),
  });
  const pieces: string[] = [];
  for await (const piece of clientOf(gateway).agents.stream("agt_01", { input: "hello" }).text()) pieces.push(piece);
  return pieces;
}

describe("stream.text()", () => {
  it.each<[string, readonly Told[], readonly string[]]>([
    [
      "gives the pieces as they were written",
      [event.modelRequested(2), event.delta("On its "), event.delta("way"), event.responded(3, "On its way")],
      ["On its ", "way"],
    ],
    [
      "gives a turn that was not streamed at once, and the rest of one that was streamed in part",
      [
        ...[event.modelRequested(2), event.responded(3, "I look.")],
        ...[event.modelRequested(4), event.delta("On "), event.responded(5, "On its way")],
      ],
      ["I look.", "\n\n", "On ", "its way"],
    ],
    [
      "keeps what a turn says again apart from what it had said when it failed",
      [
        ...[event.modelRequested(2), event.delta("On i"), event.modelFailed(3)],
        ...[event.modelRequested(4), event.delta("On its way"), event.responded(5, "On its way")],
      ],
      ["On i", "\n\n", "On its way"],
    ],
    [
      "puts nothing between turns of which one says nothing",
      [
        ...[event.modelRequested(2), event.responded(3, "")],
        ...[event.modelRequested(4), event.responded(5, "On its way")],
      ],
      ["On its way"],
    ],
  ])("%s", async (_what, events, pieces) => {
    const last = Math.max(...events.map(({ seq }) => Number(seq ?? 0)));
    expect(await textOf([...events, event.completed(last + 1)])).toEqual(pieces);
  });

  it("says why an execution stopped before an answer was ready", async () => {
    const reason = "Stopped before the final reply (maxCostUsd).";
    const events = [event.modelRequested(2), event.responded(3, "I look."), event.stopped(4, "maxCostUsd", reason)];
    expect(await textOf(events)).toEqual(["I look.", "\n\n", reason]);
  });

  it("ends without an error where the execution failed: the result says so", async () => {
    expect(await textOf([event.modelRequested(2), event.delta("On"), event.failedExecution(3)])).toEqual(["On"]);
  });

  it("can be left, and stops the listening then", async () => {
    const closed = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: (response, request) => {
        response.on("close", closed.open);
        const pieces = [event.started(1), event.modelRequested(2), event.delta("On")].map((each) => message(each));
        return eventStream(pieces, { ending: "none" })(response, request);
      },
    });
    for await (const piece of clientOf(gateway).agents.stream("agt_01", { input: "hello" }).text()) {
      expect(piece).toBe("On");
      break;
    }
    await closed.opened;
  });
});

describe("stream.abort()", () => {
  it("ends the loop and the result with its reason, and the connection, for good", async () => {
    const closed = gate();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: (response, request) => {
        response.on("close", closed.open);
        return eventStream([message(event.started(1))], { ending: "none" })(response, request);
      },
    });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    const reason = new Error("the user has gone");
    const reading = (async () => {
      for await (const _event of stream) stream.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    await expect(stream.result()).rejects.toBe(reason);
    await closed.opened;
    expect(gateway.seen).toHaveLength(1);
  });

  it("gives what had come before, then an AbortError", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([message(event.started(1)), message(event.modelRequested(2))], { ending: "none" }),
    });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    stream.abort();
    const rest: string[] = [];
    const reading = (async () => {
      for await (const each of stream) rest.push(each.type);
    })();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    expect(rest.length).toBeLessThanOrEqual(1);
  });

  it("works before the gateway has answered, and while nobody listens", async () => {
    const gateway = await startScriptedGateway({ [START_ROUTE]: slowStream([new Promise(() => {})]) });
    const stream = clientOf(gateway).agents.stream("agt_01", { input: "hello" });
    stream.abort();
    await expect(stream.executionId).rejects.toMatchObject({ name: "AbortError" });
    await expect(stream.result()).rejects.toMatchObject({ name: "AbortError" });
  });

  it("changes nothing once the execution has ended", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [EVENTS_ROUTE]: eventStream([message(event.started(1)), message(event.completed(2))]),
    });
    const stream = clientOf(gateway).executions.events("exec_01");
    await expect(stream.result()).resolves.toMatchObject({ status: "completed" });
    stream.abort();
    await expect(stream.result()).resolves.toMatchObject({ status: "completed" });
  });
});
