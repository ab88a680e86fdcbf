import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { EVENTS_ROUTE, recordRoutes, START_ROUTE } from "../support/executions.ts";
import { AGENT_ID, AT, agentRecord, EXECUTION_ID, event, executionRecord, message } from "../support/records.ts";
import { eventStream, json, startScriptedGateway } from "../support/scripted-gateway.ts";

const types = (events: readonly StreamEvent[]) => events.map(({ type }) => type);

describe("values that only a newer gateway knows", () => {
  it("come out of an execution's record as they are", async () => {
    const record = { ...executionRecord(), status: "paused", stopReason: "maxTotalTokens" };
    const gateway = await startScriptedGateway({ [`GET /v1/executions/${EXECUTION_ID}`]: json(200, record) });

    expect(await clientOf(gateway).executions.get(EXECUTION_ID)).toEqual(record);
  });

  it("come out of an agent, its policy and its tools", async () => {
    const agent = {
      ...agentRecord(),
      policy: { network: false, approval: "per_host", untrusted: "quarantine", toolKinds: ["browser"] },
      tools: [{ builtin: "image_maker" }, { source: "src_01", hashes: ["a"] }],
    };
    const gateway = await startScriptedGateway({ [`GET /v1/agents/${AGENT_ID}`]: json(200, agent) });

    expect(await clientOf(gateway).agents.get(AGENT_ID)).toEqual(agent);
  });

  it("come out of the scopes of a key and the auth of a secret", async () => {
    const key = { id: "key_01", name: "ci", workspaceId: "ws_01", scopes: ["agents", "recordings"], createdAt: AT };
    const secret = { name: "TOKEN", auth: { type: "mtls", certificate: "a" }, hosts: [], createdAt: AT, updatedAt: AT };
    const gateway = await startScriptedGateway({
      "GET /v1/api-keys": json(200, { data: [key], nextCursor: null }),
      "GET /v1/secrets": json(200, { data: [secret], nextCursor: null }),
    });
    const client = clientOf(gateway);

    expect(await client.apiKeys.list().toArray()).toMatchObject([key]);
    expect(await client.secrets.list().toArray()).toEqual([secret]);
  });
});

describe("an event of a type that only a newer gateway knows", () => {
  it("reaches the caller in its place", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([message(event.started(1)), message(event.unknown(2)), message(event.completed(3))]),
    });
    const events: StreamEvent[] = [];
    await clientOf(gateway).agents.execute(AGENT_ID, { input: "hello", onEvent: (each) => events.push(each) });

    expect(events).toEqual([event.started(1), event.unknown(2), event.completed(3)]);
    expect(gateway.seenAt(EVENTS_ROUTE)).toHaveLength(0);
  });

  it("is where a broken stream is taken up again", async () => {
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [EVENTS_ROUTE]: [
        eventStream([message(event.started(1)), message(event.unknown(2))], { ending: "broken" }),
        eventStream([message(event.completed(3))]),
      ],
    });
    const events: StreamEvent[] = [];
    for await (const each of clientOf(gateway).executions.events(EXECUTION_ID)) events.push(each);

    expect(types(events)).toEqual(["execution.started", "tool_call.sandboxed", "execution.completed"]);
    expect(gateway.seenAt(EVENTS_ROUTE).map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2"]);
  });

  it("is not the only news: the enumerations of known events may have new values", async () => {
    const newer = { ...event.requested(2, "tc_1"), kind: "browser", sideEffect: "undoable_write", risk: "low" };
    const completed = { ...event.completed(3), stopReason: "maxTotalTokens" };
    const gateway = await startScriptedGateway({
      ...recordRoutes(),
      [START_ROUTE]: eventStream([message(event.started(1)), message(newer), message(completed)]),
    });
    const events: StreamEvent[] = [];
    await clientOf(gateway).agents.execute(AGENT_ID, { input: "hello", onEvent: (each) => events.push(each) });

    expect(events).toEqual([event.started(1), newer, completed]);
  });

  it("does not let a known event pass that lacks what it must have", async () => {
    const broken = { ...event.completed(2), output: undefined };
    const gateway = await startScriptedGateway({
      [START_ROUTE]: eventStream([message(event.started(1)), message(broken)]),
    });
    const run = clientOf(gateway).agents.execute(AGENT_ID, { input: "hello" });

    await expect(run).rejects.toMatchObject({ code: "INVALID_RESPONSE", message: expect.stringContaining("output") });
  });
});

describe("an execution whose status only a newer gateway knows", () => {
  it("has ended when its record says when, though no known event told the end", async () => {
    const ended = { ...executionRecord(), status: "expired", stopReason: "expired" };
    const gateway = await startScriptedGateway({
      ...recordRoutes(ended, []),
      [START_ROUTE]: eventStream([message(event.started(1)), message(event.unknown(2))]),
      [EVENTS_ROUTE]: eventStream([]),
    });
    const result = await clientOf(gateway).agents.execute(AGENT_ID, { input: "hello" });

    expect(result).toMatchObject({ status: "expired", stopReason: "expired", finishedAt: AT });
  });

  it("goes on while its record has no such time", async () => {
    const paused = { ...executionRecord(), status: "paused", stopReason: null, finishedAt: null };
    const gateway = await startScriptedGateway({
      [`GET /v1/executions/${EXECUTION_ID}`]: [json(200, paused), json(200, executionRecord())],
      [`GET /v1/executions/${EXECUTION_ID}/tool-calls`]: json(200, { data: [], nextCursor: null }),
      [START_ROUTE]: eventStream([message(event.started(1))]),
      [EVENTS_ROUTE]: eventStream([message(event.completed(2))]),
    });
    const result = await clientOf(gateway).agents.execute(AGENT_ID, { input: "hello" });

    expect(result.status).toBe("completed");
    expect(gateway.seenAt(EVENTS_ROUTE)).toHaveLength(1);
  });
});
