import type { Limits, StopReason, StreamEvent } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { openHostileWorld, toldLast } from "./support/hostile-world.ts";
import type { WireCall, WireTurn } from "./support/model-server.ts";
import { toolAt } from "./support/services.ts";

const GOOD = '{"orderId":"ORD-1"}';
const DONE: WireTurn = { text: "done" };
const call = (id: string, rest: Partial<WireCall> = {}): WireCall => ({
  id,
  name: "lookup_order",
  arguments: GOOD,
  ...rest,
});

describe("a model that asks for too much", () => {
  it("with 30 calls in a turn: 20 run, ten are told why not, and it may go on", async () => {
    const calls = Array.from({ length: 30 }, (_call, index) => call(`call_${index}`));
    const world = await openHostileWorld([{ calls }, DONE]);
    const { stopReason, toolCalls, usage } = await world.ask();
    expect({ stopReason, toolCalls: usage.toolCalls }).toEqual({ stopReason: "final", toolCalls: 30 });
    expect(toolCalls.filter(({ status }) => status === "completed")).toHaveLength(20);
    for (const refused of toolCalls.slice(20)) {
      expect(refused).toMatchObject({ status: "failed", attempts: [], error: { code: "BUDGET_EXCEEDED" } });
    }
    expect(world.service.calls).toHaveLength(20);
    expect(toldLast(world.model).map((told) => told.includes("BUDGET_EXCEEDED"))).toEqual(
      calls.map((_c, i) => i >= 20),
    );
  });

  it("with 1000 calls in a turn: as many run as may; with 1001 the turn has failed", async () => {
    const turn = (count: number): WireTurn => ({
      calls: Array.from({ length: count }, (_call, index) => call(`call_${index}`)),
    });
    const most = await openHostileWorld([turn(1_000), DONE]);
    const limits = { maxToolResultTokens: 1_000_000, maxToolCallsPerTurn: 3 };
    expect(await most.ask({}, { limits })).toMatchObject({ stopReason: "final" });
    expect(most.service.calls).toHaveLength(3);
    const over = await openHostileWorld([turn(1_001)]);
    expect(await over.ask()).toMatchObject({ status: "failed", error: { code: "MODEL_ERROR" }, toolCalls: [] });
    expect(over.service.calls).toEqual([]);
  });

  it.each<[string, WireTurn[], number]>([
    ["the same call", [{ calls: [call("a")] }], 8],
    ["the same call under the same id", [{ calls: [call("again")] }], 8],
    ["a call with words around it", [{ text: "one moment", calls: [call("a")] }], 8],
  ])("for ever, %s: it ends after eight rounds, and the text says so", async (_name, turns, rounds) => {
    const world = await openHostileWorld(turns);
    const { status, stopReason, output, toolCalls } = await world.ask();
    expect({ status, stopReason }).toEqual({ status: "completed", stopReason: "maxToolIterations" });
    expect(output?.text).toContain("8 rounds");
    expect(world.service.calls).toHaveLength(rounds);
    expect(toolCalls.at(-1)).toMatchObject({ turn: 9, attempts: [], error: { code: "BUDGET_EXCEEDED" } });
    expect(world.model.requests).toHaveLength(9);
  });

  it("for ever, in turn of two tools that work: the same", async () => {
    const turns = Array.from({ length: 12 }, (_turn, index) => ({
      calls: [call(`c${index}`, { name: index % 2 === 0 ? "lookup_order" : "check_stock" })],
    }));
    const world = await openHostileWorld(turns);
    const tools = [toolAt(world.service.url), toolAt(world.service.url, { name: "check_stock" })];
    expect(await world.ask({}, { tools })).toMatchObject({ stopReason: "maxToolIterations" });
    expect(world.service.calls).toHaveLength(8);
  });

  it.each<[string, Partial<WireCall>, string]>([
    ["a tool that it was told does not exist", { name: "make_coffee" }, "UNKNOWN_TOOL"],
    ["a tool that it was told it may not use", { name: "calculator" }, "POLICY_DENIED"],
    ["a tool with arguments that it was told do not fit", { arguments: "{}" }, "INVALID_ARGUMENTS"],
  ])("for ever, %s: it ends after two tries more", async (_name, change, code) => {
    const world = await openHostileWorld([{ calls: [call("a", change)] }]);
    const tools = [toolAt(world.service.url), { builtin: "calculator" as const }];
    const policy = { toolKinds: ["handler" as const] };
    const { status, stopReason, output, toolCalls } = await world.ask({}, { tools, policy });
    expect({ status, stopReason }).toEqual({ status: "completed", stopReason: "maxSameToolRetries" });
    expect(output?.text).toContain("(maxSameToolRetries)");
    expect(toolCalls.slice(0, 3).map(({ error }) => error?.code)).toEqual([code, code, code]);
    expect(toolCalls).toHaveLength(4);
    expect(world.service.calls).toEqual([]);
  });

  it("with a new name each time: it ends after eight rounds", async () => {
    const turns = Array.from({ length: 12 }, (_turn, index) => ({ calls: [call("a", { name: `made_up_${index}` })] }));
    const world = await openHostileWorld(turns);
    expect(await world.ask()).toMatchObject({ stopReason: "maxToolIterations" });
  });
});

describe("a model that ends oddly", () => {
  it.each<[string, WireTurn, StopReason, string]>([
    ["with nothing to say", {}, "empty", "The model returned an empty reply."],
    ["with an empty text", { text: "" }, "empty", "The model returned an empty reply."],
    ["with white space", { text: " \n" }, "empty", "The model returned an empty reply."],
    ["with thoughts and no words", { reasoning: "I wonder." }, "empty", "The model returned an empty reply."],
    [
      "with thoughts in its text and no words",
      { text: "<think>I wonder.</think>\n" },
      "empty",
      "The model returned an empty reply.",
    ],
    [
      "with thoughts before its words",
      { text: "<think>\nI wonder.\n</think>\n\nIt was shipped." },
      "final",
      "It was shipped.",
    ],
    ["with the tag of thoughts in its words", { text: "Write <think>…</think>." }, "final", "Write <think>…</think>."],
    ["as if it had called a tool, and has not", { text: "there", finish: "tool_calls" }, "final", "there"],
    ["with an empty list of calls", { text: "there", calls: [], finish: "stop" }, "final", "there"],
    ["without saying why", { text: "there", finish: null }, "final", "there"],
    ["at its length, in the middle of a word", { text: "It was ship", finish: "length" }, "truncated", "It was ship"],
    [
      "at its length, before it said anything",
      { finish: "length" },
      "truncated",
      "The model reached its length limit before it produced any text.",
    ],
    [
      "at its length, in the middle of a thought",
      { text: "<think>I won", finish: "length" },
      "truncated",
      "The model reached its length limit before it produced any text.",
    ],
    ["by refusing", { finish: "content_filter" }, "refused", "The model refused to answer."],
  ])("%s, whole and streamed: that is its end", async (_name, turn, stopReason, text) => {
    for (const isStreamed of [true, false]) {
      const world = await openHostileWorld([turn]);
      const deltas: string[] = [];
      const onEvent = (event: StreamEvent) => {
        if (event.type === "text.delta") deltas.push(event.text);
      };
      const execution = await world.ask(isStreamed ? { onEvent } : {}, {}, { isStreamed });
      expect(execution).toMatchObject({ status: "completed", stopReason, output: { text }, toolCalls: [] });
      expect(deltas.join("")).not.toContain("I won");
      expect(world.model.requests).toHaveLength(1);
    }
  });

  it("with nothing after a call: that is no final answer, and its last words are told", async () => {
    const world = await openHostileWorld([{ text: "Let me look.", calls: [call("a")] }, {}]);
    expect(await world.ask()).toMatchObject({
      stopReason: "empty",
      output: { text: "The model returned an empty reply. Last text of the model: Let me look." },
    });
  });

  it.each<[string, string]>([
    ["its length", "length"],
    ["a refusal", "content_filter"],
    ["a word that nobody knows", "whatever"],
  ])("by %s with calls that look complete: none of them runs", async (_name, finish) => {
    const world = await openHostileWorld([{ calls: [call("a"), call("b")], finish }, DONE]);
    const { stopReason, toolCalls } = await world.ask();
    expect(stopReason).toBe("final");
    expect(toolCalls).toMatchObject([
      { status: "failed", attempts: [], error: { code: "INVALID_ARGUMENTS" } },
      { status: "failed", attempts: [], error: { code: "INVALID_ARGUMENTS" } },
    ]);
    expect(world.service.calls).toEqual([]);
  });

  it("with stop where it called a tool: the tool runs", async () => {
    const world = await openHostileWorld([{ calls: [call("a")], finish: "stop" }, DONE]);
    expect(await world.ask()).toMatchObject({ stopReason: "final", toolCalls: [{ status: "completed" }] });
  });

  it("with text of 5 MB: it is kept whole", async () => {
    const text = "word ".repeat(1_000_000);
    const world = await openHostileWorld([{ text }]);
    const { output } = await world.ask();
    expect(output?.text.length).toBe(text.length);
  });

  it("with text that holds NUL and half a character, between calls: it is kept, and the next request is JSON", async () => {
    const text = "a\u0000b\ud800c";
    const world = await openHostileWorld([{ text, calls: [call("a")] }, { text }]);
    expect(await world.ask()).toMatchObject({ stopReason: "final", output: { text } });
  });
});

describe("a model that takes ids for what they are not", () => {
  it.each([true, false])("with the same id twice in a turn, streamed: %j: each call runs", async (isStreamed) => {
    const calls = [call("same"), call("same", { arguments: '{"orderId":"ORD-2"}' })];
    const world = await openHostileWorld([{ calls }, DONE]);
    const { output, toolCalls } = await world.ask({}, {}, { isStreamed });
    expect(output?.text).toBe("done");
    expect(toolCalls).toMatchObject([
      { status: "completed", parameters: { orderId: "ORD-1" } },
      { status: "completed", parameters: { orderId: "ORD-2" } },
    ]);
    expect(world.service.calls).toHaveLength(2);
    const asked = world.model.requests[1]?.messages.find(({ role }) => role === "assistant")?.tool_calls ?? [];
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2);
  });

  it.each([true, false])("with no ids at all, streamed: %j: each call runs", async (isStreamed) => {
    const world = await openHostileWorld([{ calls: [call(""), call("")] }, DONE]);
    const { toolCalls } = await world.ask({}, {}, { isStreamed });
    expect(toolCalls.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(world.service.calls).toHaveLength(2);
  });

  it("with the id of an earlier turn: each call has its own record, result and answer", async () => {
    const world = await openHostileWorld([
      { calls: [call("same")] },
      { calls: [call("same", { arguments: '{"orderId":"ORD-2"}' })] },
      DONE,
    ]);
    const { toolCalls } = await world.ask();
    expect(toolCalls).toMatchObject([{ parameters: { orderId: "ORD-1" } }, { parameters: { orderId: "ORD-2" } }]);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    const sent = world.service.calls.map(({ body }) => JSON.parse(body.toString()).toolCallId);
    expect(new Set(sent).size).toBe(2);
  });

  it.each(["", "x".repeat(10_000), "a b\n\u0000", "../..", "__proto__"])("with the id %j: it runs", async (id) => {
    const world = await openHostileWorld([{ calls: [call(id)] }, DONE]);
    expect(await world.ask()).toMatchObject({ stopReason: "final", toolCalls: [{ status: "completed" }] });
  });
});

describe("a model that is told of a failure", () => {
  it("is never told what is for the log only", async () => {
    const world = await openHostileWorld([{ calls: [call("a"), call("b", { name: "unreachable" })] }, DONE]);
    const tools = [
      toolAt(world.service.url),
      // Loopback, and nobody there: the log gets the address, the model does not.
      toolAt("http://127.0.0.1:9/secret-path", { name: "unreachable" }),
    ];
    const { toolCalls } = await world.ask({}, { tools });
    const error = toolCalls[1]?.error;
    expect(error).toMatchObject({
      code: "NETWORK_ERROR",
      retryable: true,
      message: expect.any(String),
      hint: expect.any(String),
      developerMessage: expect.any(String),
    });
    for (const { text } of world.model.requests) {
      expect(text).not.toContain(error?.developerMessage ?? "no message for the log");
      expect(text).not.toContain("secret-path");
      expect(text).not.toContain("127.0.0.1");
    }
    const told = JSON.parse(toldLast(world.model)[1] ?? "{}");
    expect(Object.keys(told.error).toSorted()).toEqual(["code", "hint", "message", "outcome", "retryable"]);
  });
});

describe("a limit of an execution whose model is far away", () => {
  it.each<[keyof Limits, number]>([["maxWallTimeMs", 300]])(
    "%s (%i) ends it while the model thinks",
    async (limit, value) => {
      const world = await openHostileWorld([{ isSilent: true }]);
      const { status, stopReason, output, cost } = await world.ask({ limits: { [limit]: value } });
      expect({ status, stopReason }).toEqual({ status: "completed", stopReason: limit });
      // Whatever it thought until then was paid for.
      expect(cost).toMatchObject({ usd: 0, isPartial: true });
      expect(output?.text).toContain(`${value} ms`);
    },
  );
});
