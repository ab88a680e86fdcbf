import { MAX_CALLS_PER_TURN, type Script } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { ModelTurnRequest } from "../src/port.ts";
import { answered, QUESTION, turnRequest } from "./support/turn-request.ts";

const models = createModels({
  providers: {},
  fetch: () => {
    throw new Error("a scripted model needs no network");
  },
});

const SCRIPT: Script = {
  turns: [
    {
      text: "Let me look.",
      toolCalls: [
        { name: "orders.lookup", parameters: { orderId: "ORD-1" } },
        { name: "no.such.tool", parameters: { deep: { list: [1, null] } } },
      ],
    },
    { text: "It was shipped  today,\nit says here." },
  ],
};

const play = (turn: number, changes: Partial<ModelTurnRequest> = {}) =>
  models.runTurn(turnRequest({ model: "scripted/turns", script: SCRIPT, turn, ...changes }));

describe("scripted/turns", () => {
  it("fails a turn of more calls than any limit lets run", async () => {
    const calls = (count: number) => Array.from({ length: count }, () => ({ name: "act", parameters: {} }));
    const script = { turns: [{ toolCalls: calls(MAX_CALLS_PER_TURN) }, { toolCalls: calls(MAX_CALLS_PER_TURN + 1) }] };
    expect((await play(1, { script })).toolCalls).toHaveLength(MAX_CALLS_PER_TURN);
    await expect(play(2, { script })).rejects.toMatchObject({ code: "MODEL_ERROR", isRetryable: false });
  });

  it("plays the entry of the turn, with calls under the names that the script gives", async () => {
    const turn = await play(1);
    expect(turn).toEqual({
      text: "Let me look.",
      finishReason: "tool_calls",
      toolCalls: [
        { toolCallId: "tc_1", providerCallId: "call_1_1", name: "orders.lookup", parameters: { orderId: "ORD-1" } },
        {
          toolCallId: "tc_2",
          providerCallId: "call_1_2",
          name: "no.such.tool",
          parameters: { deep: { list: [1, null] } },
        },
      ],
      parts: [
        { type: "text", text: "Let me look." },
        {
          type: "tool_call",
          toolCallId: "tc_1",
          providerCallId: "call_1_1",
          name: "orders.lookup",
          parameters: { orderId: "ORD-1" },
        },
        {
          type: "tool_call",
          toolCallId: "tc_2",
          providerCallId: "call_1_2",
          name: "no.such.tool",
          parameters: { deep: { list: [1, null] } },
        },
      ],
      usage: { inputTokens: 8, outputTokens: 15 },
      cost: { usd: 0, isPartial: false },
      hostedCalls: [],
      sources: [],
    });
  });

  it("goes on after the results", async () => {
    const first = await play(1);
    const results = [
      { isError: false, text: "{}" },
      { isError: true, text: '{"error":{"code":"UNKNOWN_TOOL"}}' },
    ];
    const second = await play(2, { messages: [QUESTION, ...answered(first, results)] });
    expect(second).toMatchObject({
      text: "It was shipped  today,\nit says here.",
      finishReason: "stop",
      toolCalls: [],
    });
  });

  it("answers empty text past its last entry", async () => {
    await expect(play(3)).resolves.toMatchObject({ text: "", finishReason: "stop", toolCalls: [], parts: [] });
  });

  it.each([
    ["whole", {}],
    ["streamed", { onTextDelta: () => {} }],
  ])("ends a turn at the length limit where its entry says so, %s", async (_form, listener) => {
    const script: Script = { turns: [{ text: "It was", finishReason: "length" }] };
    expect(await play(1, { script, ...listener })).toMatchObject({ text: "It was", finishReason: "length" });
  });

  it("streams the same turn word by word", async () => {
    const deltas: string[] = [];
    const turn = await play(2, { onTextDelta: (text) => deltas.push(text) });
    expect(turn).toEqual(await play(2));
    expect(deltas).toEqual(["It ", "was ", "shipped  ", "today,\n", "it ", "says ", "here."]);
    await expect(play(1, { onTextDelta: () => {} })).resolves.toEqual(await play(1));
  });

  it("says that it needs a script", async () => {
    await expect(models.runTurn(turnRequest({ model: "scripted/turns" }))).rejects.toMatchObject({
      name: "ModelTurnError",
      code: "NOT_CONFIGURED",
      message: expect.stringContaining('"script"'),
    });
  });

  it.each<[string, Partial<ModelTurnRequest>]>([
    ["calls a tool although none is allowed", { turn: 1, toolChoice: "none" }],
    ["calls no tool although one is required", { turn: 2, toolChoice: "required" }],
    ["has no tools although a call is required", { turn: 1, toolChoice: "required", tools: [] }],
  ])("fails like any other model where its script %s", async (_what, changes) => {
    await expect(
      models.runTurn(turnRequest({ model: "scripted/turns", script: SCRIPT, ...changes })),
    ).rejects.toMatchObject({ code: "MODEL_ERROR", isRetryable: false });
  });
});
