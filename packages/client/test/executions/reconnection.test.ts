import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, recordRoutes, START_ROUTE, wholeRun } from "../support/executions.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import { event, executionRecord, message } from "../support/records.ts";
import {
  eventStream,
  hangUp,
  json,
  noContent,
  problem,
  type Responder,
  type ScriptedGateway,
  startScriptedGateway,
} from "../support/scripted-gateway.ts";

const started = message(event.started(1));
const modelRequested = message(event.modelRequested(2));
const completed = message(event.completed(3));

/** Executes against a scripted start and event route and returns the numbers of the events that came. */
async function seqsOf(gateway: ScriptedGateway, runtime = manualRuntime()): Promise<unknown[]> {
  const events: StreamEvent[] = [];
  const onEvent = (each: StreamEvent) => events.push(each);
  await clientOf(gateway, {}, runtime).agents.execute("agt_01", { input: "hello", onEvent });
  return events.map((each) => ("seq" in each ? each.seq : undefined));
}

describe("a broken stream", () => {
  it.each<[string, Responder]>([
    ["between two events", eventStream([started], { ending: "broken" })],
    ["inside an event", eventStream([started, modelRequested.slice(0, 30)], { ending: "broken" })],
    ["by an end that came too early", eventStream([started, modelRequested.slice(0, -1)])],
  ])("is taken up where it broke %s", async (_name, broken) => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: broken,
      [EVENTS_ROUTE]: eventStream([modelRequested, completed]),
    });

    await expect(seqsOf(gateway)).resolves.toEqual([1, 2, 3]);
    expect(gateway.seenAt(START_ROUTE)).toHaveLength(1);
    expect(gateway.seenAt(EVENTS_ROUTE).map((request) => request.headers["last-event-id"])).toEqual(["1"]);
  });

  it("gives no event twice, whatever the gateway repeats", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started, modelRequested], { ending: "broken" }),
      [EVENTS_ROUTE]: eventStream(wholeRun),
    });

    await expect(seqsOf(gateway)).resolves.toEqual([1, 2, 3]);
  });

  it.each<[string, readonly string[], readonly string[], string]>([
    ["is told again from its beginning", ["Hello, ", "wor"], ["Hello, world", "!"], "Hello, |wor|ld|!"],
    ["is told again up to where it broke", ["Hello, ", "wor"], ["Hello, wor", "ld!"], "Hello, |wor|ld!"],
    ["is told again in other pieces", ["Hello, world"], ["He", "llo, ", "world", "!"], "Hello, world|!"],
  ])("gives the text of a turn once, although it %s", async (_name, first, second, told) => {
    const deltas = (texts: readonly string[]) => texts.map((text) => message(event.delta(text)));
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started, modelRequested, ...deltas(first)], { ending: "broken" }),
      [EVENTS_ROUTE]: eventStream([...deltas(second), completed]),
    });
    const texts: string[] = [];
    const onEvent = (each: StreamEvent) => each.type === "text.delta" && texts.push(each.text);
    await clientOf(gateway, {}, manualRuntime()).agents.execute("agt_01", { input: "hello", onEvent });
    expect(texts.join("|")).toBe(told);
  });

  it("gives the text of the next request of a model whole", async () => {
    const again = message(event.modelRequested(3));
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started, modelRequested, message(event.delta("Hello"))], { ending: "broken" }),
      [EVENTS_ROUTE]: eventStream([again, message(event.delta("Hi")), message(event.completed(4))]),
    });
    const texts: string[] = [];
    const onEvent = (each: StreamEvent) => each.type === "text.delta" && texts.push(each.text);
    await clientOf(gateway, {}, manualRuntime()).agents.execute("agt_01", { input: "hello", onEvent });
    expect(texts).toEqual(["Hello", "Hi"]);
  });

  it("leaves no gap: a missing event is asked for again", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started, completed]),
      [EVENTS_ROUTE]: eventStream([modelRequested, completed]),
    });

    await expect(seqsOf(gateway)).resolves.toEqual([1, 2, 3]);
    expect(gateway.seenAt(EVENTS_ROUTE)[0]?.headers["last-event-id"]).toBe("1");
  });

  it.each<[string, Responder]>([
    ["broke", eventStream([": heartbeat\n\n"], { ending: "broken" })],
    ["ended", eventStream([])],
  ])("that %s before its first event is asked for by the same request with the same key", async (_name, first) => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: [first, eventStream(wholeRun)],
    });

    await expect(seqsOf(gateway)).resolves.toEqual([1, 2, 3]);
    const starts = gateway.seenAt(START_ROUTE);
    expect(starts.map((request) => request.headers["idempotency-key"])).toEqual(["key-1", "key-1"]);
    expect(starts[1]?.bodyText).toBe(starts[0]?.bodyText);
  });

  it("is taken up after the gateway was away for a while", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started], { ending: "broken" }),
      [EVENTS_ROUTE]: [
        hangUp,
        noContent(502),
        problem(503, "UNAVAILABLE", { headers: { "retry-after": "2" } }),
        eventStream([modelRequested, completed]),
      ],
    });
    const runtime = manualRuntime();

    await expect(seqsOf(gateway, runtime)).resolves.toEqual([1, 2, 3]);
    expect(runtime.delays).toEqual([500, 1_000, 2_000, 2_500]);
  });

  it("is given up after eight connections in a row without anything new", async () => {
    const gateway = await startScriptedGateway({
      "GET /v1/executions/exec_01": json(200, executionRecord({ status: "running" })),
      [START_ROUTE]: eventStream([started], { ending: "broken" }),
      [EVENTS_ROUTE]: eventStream([started]),
    });

    await expect(seqsOf(gateway)).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(gateway.seenAt(EVENTS_ROUTE)).toHaveLength(8);
  });

  it("is followed for as long as it gives something new", async () => {
    const count = 30;
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started]),
      [EVENTS_ROUTE]: (response, request) => {
        const seq = Number(request.headers["last-event-id"]) + 1;
        const next = seq === count ? event.completed(seq) : event.modelRequested(seq);
        return eventStream([message(next)])(response, request);
      },
    });

    await expect(seqsOf(gateway)).resolves.toEqual(Array.from({ length: count }, (_, at) => at + 1));
  });

  it("is followed for as long as its connections live, although nothing happens", async () => {
    const runtime = manualRuntime();
    let connections = 0;
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      "GET /v1/executions/exec_01": (response, request) =>
        json(200, executionRecord({ status: connections < 20 ? "waiting" : "completed" }))(response, request),
      [START_ROUTE]: eventStream([started]),
      [EVENTS_ROUTE]: (response, request) => {
        connections += 1;
        runtime.nowMs += 10_000;
        return eventStream(connections < 20 ? [": heartbeat\n\n"] : [modelRequested, completed])(response, request);
      },
    });

    await expect(seqsOf(gateway, runtime)).resolves.toEqual([1, 2, 3]);
    expect(connections).toBe(20);
  });

  it("is left for another connection when it shows no sign of life for 45 seconds", async () => {
    const runtime = manualRuntime();
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([started], { ending: "none" }),
      [EVENTS_ROUTE]: eventStream([modelRequested, completed]),
    });
    const client = clientOf(gateway, {}, runtime);
    const onEvent = (each: StreamEvent) => {
      // Once the client has begun to wait for what follows the first event.
      if (each.type === "execution.started") setImmediate(() => runtime.expire(45_000));
    };

    await expect(client.agents.execute("agt_01", { input: "hello", onEvent })).resolves.toHaveProperty("toolCalls");
    expect(gateway.seenAt(EVENTS_ROUTE)).toHaveLength(1);
  });

  it.each<[string, Responder, string]>([
    ["refuses", problem(403, "FORBIDDEN"), "FORBIDDEN"],
    ["answers without a stream", (response) => void response.end("{}"), "INVALID_RESPONSE"],
  ])("is given up at once when the gateway %s", async (_name, answer, code) => {
    const gateway = await startScriptedGateway({
      [START_ROUTE]: eventStream([started], { ending: "broken" }),
      [EVENTS_ROUTE]: answer,
    });

    await expect(seqsOf(gateway)).rejects.toMatchObject({ code });
    expect(gateway.seenAt(EVENTS_ROUTE)).toHaveLength(1);
  });

  it("gives every event once, in order, wherever its bytes are cut and however often it breaks", async () => {
    const events = [event.started(1), ...[2, 3, 4, 5].map(event.modelRequested), event.completed(6)];
    const cuts = fc.array(fc.nat({ max: 900 }), { maxLength: 6 });

    await fc.assert(
      fc.asyncProperty(cuts, async (lengths) => {
        const remaining = [...lengths];
        const follow: Responder = (response, request) => {
          const after = Number(request.headers["last-event-id"] ?? 0);
          const text = events.slice(after).map(message).join("");
          const length = remaining.shift();
          if (length === undefined) return eventStream([text])(response, request);
          return eventStream([text.slice(0, length)], { ending: "broken" })(response, request);
        };
        const gateway = await startScriptedGateway({
          ...recordRoutes(),
          [START_ROUTE]: follow,
          [EVENTS_ROUTE]: follow,
        });
        await expect(seqsOf(gateway)).resolves.toEqual([1, 2, 3, 4, 5, 6]);
      }),
      { numRuns: 30 },
    );
  });
});
