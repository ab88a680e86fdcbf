import type { Limits } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

const ROUNDS = [calls("lookup_order"), calls("lookup_order"), calls("lookup_order"), { text: "the answer" }];

describe("a limit of an execution", () => {
  it.each<[keyof Limits, number, "answers" | "fails" | "hangs", number]>([
    ["maxToolIterations", 1, "answers", 1],
    ["maxToolIterations", 0, "answers", 0],
    ["maxToolResultTokens", 10, "answers", 1],
    ["maxSameToolRetries", 0, "fails", 1],
    ["maxSameToolRetries", 1, "fails", 2],
    ["maxWallTimeMs", 150, "hangs", 1],
  ])("%s (%i) ends it with an explanation where its tool %s", async (limit, value, behaviour, sent) => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService((response) => {
      if (behaviour === "answers") response.json({ result: "x".repeat(100) });
      if (behaviour === "fails") response.status(400).end();
    });
    const { status, stopReason, output } = await world.play([toolAt(url)], ROUNDS, { limits: { [limit]: value } });
    expect({ status, stopReason }).toEqual({ status: "completed", stopReason: limit });
    expect(output?.text).toContain(`(${limit})`);
    expect(arrived).toHaveLength(sent);
  });

  it("maxToolCallsPerTurn lets so many run, tells the model of the others, and ends nothing", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService((response) => void response.json({ result: 1 }));
    const turns = [calls("lookup_order", "lookup_order", "lookup_order"), { text: "the answer" }];
    const execution = await world.play([toolAt(url)], turns, { limits: { maxToolCallsPerTurn: 2 } });
    expect(execution).toMatchObject({
      stopReason: "final",
      toolCalls: [{ status: "completed" }, { status: "completed" }, { error: { code: "BUDGET_EXCEEDED" } }],
    });
    expect(arrived).toHaveLength(2);
  });

  it("ends calls that are on their way as calls of which nobody knows what happened", async () => {
    const world = await openWorld();
    const { url } = await startRawService(() => {});
    const tool = toolAt(url, { sideEffect: "non_idempotent_write", timeout: 600_000 });
    const { toolCalls } = await world.play([tool], ROUNDS, { limits: { maxWallTimeMs: 150 } });
    expect(toolCalls).toMatchObject([
      { finishedAt: expect.any(String), error: { source: "gateway", outcome: "unknown", retryable: false } },
    ]);
  });

  it("of the agent can be lowered by an execution, and not raised", async () => {
    const world = await openWorld();
    const { url } = await startRawService((response) => void response.json({ result: 1 }));
    const agent = await world.createAgent([toolAt(url)], { limits: { maxToolIterations: 2 } });
    const usage = async (maxToolIterations: number) => {
      const request = { input: "go", script: { turns: ROUNDS }, limits: { maxToolIterations } };
      const { stopReason, toolCalls } = await world.client.agents.execute(agent.id, request);
      return { stopReason, ran: toolCalls.filter((call) => call.status === "completed").length };
    };
    expect(await usage(1)).toEqual({ stopReason: "maxToolIterations", ran: 1 });
    expect(await usage(100)).toEqual({ stopReason: "maxToolIterations", ran: 2 });
  });
});
