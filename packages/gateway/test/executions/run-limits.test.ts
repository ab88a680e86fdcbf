import { describe, expect, it } from "vitest";
import { startReplier } from "../../../webhooks/test/support/handler-server.ts";
import { openRunWorld, toolAt } from "./run-world.ts";

const ask = { toolCalls: [{ name: "act", parameters: {} }] };
const nothing = () => {};

describe("a cost limit without a price", () => {
  it("fails the execution before a model request is sent", async () => {
    const providers = { house: { apiKey: "key", baseUrl: "http://127.0.0.1:9/v1" } };
    const world = await openRunWorld({ providers });
    const execution = await world.create([], [], { model: "house/llama3", limits: { maxCostUsd: 1 } });
    await world.start(execution, false, nothing).done;
    const row = await world.eventStore.find(execution.id, execution.workspaceId);
    expect(row).toMatchObject({ status: "failed", error: { code: "MODEL_UNPRICED" }, cost: { usd: 0 } });
    expect(await world.types(execution.id)).toEqual([
      "execution.started",
      "model.requested",
      "model.failed",
      "execution.failed",
    ]);
    expect(world.unreachable).toEqual([]);
  });
});

describe("the cost of tools", () => {
  it.each([
    [0.3, "final"],
    [0.29, "maxToolCostUsd"],
  ])("three calls of 0.1 USD against %f: %s", async (maxToolCostUsd, stopReason) => {
    const world = await openRunWorld({ costUsd: 0.1 });
    const handler = await startReplier({ body: { result: 1 } });
    const limits = { maxToolCostUsd };
    const execution = await world.create([toolAt(handler.url)], [ask, ask, ask, { text: "done" }], { limits });
    await world.start(execution, false, nothing).done;
    const row = await world.eventStore.find(execution.id, execution.workspaceId);
    expect(row).toMatchObject({ status: "completed", stopReason, cost: { usd: expect.closeTo(0.3, 9) } });
    expect(handler.calls).toHaveLength(3);
    expect(world.errors).toEqual([]);
  });

  it("failed attempts count too, and are in the record of their call", async () => {
    const world = await openRunWorld({ costUsd: 0.1 });
    const handler = await startReplier({ status: 503 });
    const tool = toolAt(handler.url, { retries: 1 });
    const execution = await world.create([tool], [ask, { text: "done" }], { limits: { maxToolCostUsd: 0.1 } });
    await world.start(execution, false, nothing).done;
    const events = await world.events(execution.id);
    expect(events.flatMap((event) => (event.type === "attempt.finished" ? [event.cost?.usd] : []))).toEqual([0.1, 0.1]);
    expect(events.find(({ type }) => type === "tool_call.failed")).toMatchObject({ cost: { usd: 0.2 } });
    expect(events.at(-1)).toMatchObject({ stopReason: "maxToolCostUsd", cost: { usd: 0.2 } });
  });
});
