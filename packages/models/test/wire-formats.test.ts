import { describe, expect, it } from "vitest";
import type { AssistantPart, ModelTurnRequest } from "../src/port.ts";
import { answered, QUESTION, turnRequest } from "./support/turn-request.ts";
import { ALL_WIRES } from "./support/wires/all-wires.ts";
import { connect, formsOf, LOOKUP, listener, QUOTE, unheard } from "./support/wires/connect.ts";
import type { WireContent, WireFormat } from "./support/wires/wire-format.ts";

/** Runs a turn whole and streamed, and gives both, with what was streamed. */
async function bothForms(wire: WireFormat, content: WireContent) {
  const whole = await connect(wire, [{ body: unheard(wire, content) }]);
  const streamed = await connect(wire, [{ body: wire.stream(content) }]);
  const deltas: string[] = [];
  const onTextDelta = (text: string) => deltas.push(text);
  return {
    turns: [
      await whole.models.runTurn(turnRequest({ model: wire.model })),
      await streamed.models.runTurn(turnRequest({ model: wire.model, onTextDelta })),
    ],
    deltas,
  };
}

async function failureOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => "no failure",
    (error: unknown) => error,
  );
}

describe.each(ALL_WIRES)("$name", (wire) => {
  const lacks = (what: NonNullable<WireFormat["lacks"]>[number]) => wire.lacks?.includes(what) === true;
  const ends: readonly (readonly [string, WireContent["end"], string])[] = [
    ["completely", "complete", "stop"],
    ["because it was too long", "length", "length"],
    ...(lacks("refusals") ? [] : [["by a refusal", "refused", "refused"] as const]),
  ];

  it.each(ends)("tells a turn that ended %s", async (_how, end, finishReason) => {
    const { turns, deltas } = await bothForms(wire, { text: "It was shipped today.", end });
    for (const turn of turns) {
      expect(turn).toMatchObject({
        text: "It was shipped today.",
        finishReason,
        toolCalls: [],
        usage: { inputTokens: 11, outputTokens: 7 },
      });
    }
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("It was shipped today.");
  });

  it("takes text and two calls of one turn", async () => {
    const { turns, deltas } = await bothForms(wire, { text: "Let me look.", calls: [LOOKUP, QUOTE], end: "complete" });
    for (const turn of turns) {
      expect(turn).toMatchObject({ text: "Let me look.", finishReason: "tool_calls" });
      const isText = ({ type }: AssistantPart) => type === "text";
      const isCall = ({ type }: AssistantPart) => type !== "text";
      const { parts } = turn;
      const inOrder = lacks("an order of text and calls") ? [...parts.filter(isText), ...parts.filter(isCall)] : parts;
      expect(inOrder).toMatchObject([
        { type: "text", text: "Let me look." },
        { type: "tool_call", toolCallId: "tc_1", providerCallId: "call_a", name: "orders.lookup" },
        { type: "tool_call", toolCallId: "tc_2", providerCallId: "call_b", name: "shipping_quote" },
      ]);
    }
    expect(deltas.join("")).toBe("Let me look.");
  });

  it("keeps the calls of a turn that was too long, and says that it was", async () => {
    const { turns } = await bothForms(wire, { calls: [LOOKUP], end: "length" });
    for (const turn of turns)
      expect(turn).toMatchObject({ finishReason: "length", toolCalls: [{ name: "orders.lookup" }] });
  });

  it("hands on a call of a tool that the agent does not have", async () => {
    const { turns } = await bothForms(wire, {
      calls: [{ id: "call_a", name: "toString", arguments: '{"a":1}' }],
      end: "complete",
    });
    for (const turn of turns) {
      expect(turn.toolCalls).toEqual([
        { toolCallId: "tc_1", providerCallId: "call_a", name: "toString", parameters: { a: 1 } },
      ]);
      expect(turn.parts).toHaveLength(1);
    }
  });

  it("hands on parameters that do not fit the schema, which the gateway checks", async () => {
    const { turns } = await bothForms(wire, { calls: [{ ...LOOKUP, arguments: '{"orderId":7}' }], end: "complete" });
    for (const turn of turns) expect(turn.toolCalls).toMatchObject([{ parameters: { orderId: 7 } }]);
  });

  // Gemini's arguments are JSON already, and so are Anthropic's outside a stream.
  it.skipIf(lacks("broken arguments"))(
    "keeps the raw text of arguments that are no JSON, and repeats it in the next turn",
    async () => {
      const broken = { calls: [{ ...LOOKUP, arguments: '{"orderId": "ORD-1' }, QUOTE], end: "complete" as const };
      const { models, requests } = await connect(wire, [
        { body: wire.stream(broken) },
        { body: unheard(wire, { text: "Sorry.", end: "complete" }) },
      ]);
      const turn = await models.runTurn(turnRequest({ model: wire.model, ...listener }));
      expect(turn.toolCalls).toMatchObject([
        { name: "orders.lookup", parameters: '{"orderId": "ORD-1', malformed: expect.stringContaining("JSON") },
        { name: "shipping_quote", parameters: { city: "Berlin", speed: "express" } },
      ]);
      expect(turn.toolCalls[1]).not.toHaveProperty("malformed");

      const results = [
        { isError: true, text: '{"error":{"code":"INVALID_ARGUMENTS"}}' },
        { isError: false, text: "{}" },
      ];
      const messages = [QUESTION, ...answered(turn, results)];
      await models.runTurn(turnRequest({ model: wire.model, turn: 2, messages }));
      expect(JSON.stringify(requests[1]?.body)).toContain("rawInvalidInput");
      expect(JSON.stringify(requests[1]?.body)).toContain("INVALID_ARGUMENTS");
    },
  );

  it.skipIf(lacks("empty arguments"))("takes a call without any arguments for one with none", async () => {
    const { turns } = await bothForms(wire, { calls: [{ ...LOOKUP, arguments: "" }], end: "complete" });
    for (const turn of turns) expect(turn.toolCalls).toMatchObject([{ parameters: {} }]);
  });

  it("takes two calls with one id for two calls, and gives the second one an id of its own", async () => {
    const { turns } = await bothForms(wire, { calls: [LOOKUP, { ...QUOTE, id: LOOKUP.id }], end: "complete" });
    for (const { toolCalls, parts } of turns) {
      expect(toolCalls).toMatchObject([
        { providerCallId: LOOKUP.id, name: "orders.lookup", parameters: { orderId: "ORD-1" } },
        { name: "shipping_quote", parameters: { city: "Berlin", speed: "express" } },
      ]);
      const ids = toolCalls.map(({ providerCallId }) => providerCallId);
      expect(new Set(ids).size).toBe(2);
      expect(parts).toMatchObject(ids.map((providerCallId) => ({ type: "tool_call", providerCallId })));
    }
  });

  it.each([
    ["broken off by its server", true],
    ["ended without its last event", false],
  ])("fails retryably on a stream that was %s", async (_how, isCutOff) => {
    const events = wire.stream({ text: "It was shipped today.", end: "complete" });
    const { models } = await connect(wire, [{ body: events.slice(0, -wire.endingEvents), isCutOff }]);
    await expect(models.runTurn(turnRequest({ model: wire.model, ...listener }))).rejects.toMatchObject({
      name: "ModelTurnError",
      code: "MODEL_ERROR",
      isRetryable: true,
    });
  });

  it("fails on an answer that is none of its wire format", async () => {
    for (const body of [
      { hello: "world" },
      { choices: [], candidates: [] },
      ['{"hello":"world"}'],
      ['{"choices":[]}'],
    ]) {
      const { models } = await connect(wire, [{ body }]);
      const failure = await failureOf(
        models.runTurn(turnRequest({ model: wire.model, ...(Array.isArray(body) ? listener : {}) })),
      );
      expect(failure).toMatchObject({ name: "ModelTurnError", code: "MODEL_ERROR" });
    }
  });

  it.each<[ModelTurnRequest["toolChoice"], RegExp]>([
    ["auto", /"auto"|"AUTO"/],
    ["required", /"required"|"any"|"ANY"/],
    ["none", /"none"|"NONE"/],
  ])("asks for tool choice %s in the provider's words", async (toolChoice, expected) => {
    const calls = toolChoice === "none" ? [] : [LOOKUP];
    const { models, requests } = await connect(wire, [
      { body: unheard(wire, { text: "Well.", calls, end: "complete" }) },
    ]);
    await models.runTurn(turnRequest({ model: wire.model, toolChoice }));
    expect(JSON.stringify(requests[0]?.body)).toMatch(expected);
    expect(JSON.stringify(requests[0]?.body)).toContain("orders_lookup");
  });

  it.each<[string, ModelTurnRequest["toolChoice"], WireContent]>([
    ["a call although none was allowed", "none", { calls: [LOOKUP], end: "complete" }],
    ["no call although one was required", "required", { text: "No.", end: "complete" }],
  ])("fails on %s", async (_what, toolChoice, content) => {
    for (const { body, request } of formsOf(wire, content)) {
      const { models } = await connect(wire, [{ body }]);
      const run = models.runTurn(turnRequest({ model: wire.model, toolChoice, ...request }));
      await expect(run).rejects.toMatchObject({ code: "MODEL_ERROR", isRetryable: false });
    }
  });

  it.skipIf(lacks("refusals"))("tells a refusal as one even where a call was required", async () => {
    const { models } = await connect(wire, [{ body: unheard(wire, { text: "I can't.", end: "refused" }) }]);
    await expect(models.runTurn(turnRequest({ model: wire.model, toolChoice: "required" }))).resolves.toMatchObject({
      finishReason: "refused",
      text: "I can't.",
    });
  });
});
