import { afterEach, describe, expect, it } from "vitest";
import { createModels } from "../../src/models/create-models.ts";
import type { ModelTurn, ModelTurnRequest } from "../../src/models/port.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { answered, QUESTION, turnRequest } from "./support/turn-request.ts";
import { WIRE_FORMATS, type WireContent, type WireFormat } from "./support/wire-bodies.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";

const servers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function connect(wire: Pick<WireFormat, "settings">, answers: readonly WireAnswer[]) {
  const server = await startWireServer(answers);
  servers.push(server);
  const { fetch, requests } = recordingFetch({ from: "https://api.openai.com", to: server.url });
  return { models: createModels({ providers: wire.settings(server.url), fetch, random: countingRandom() }), requests };
}

function countingRandom(): () => number {
  let count = 0;
  return () => (count++ % 1000) / 1000;
}

/** Runs a turn whole and streamed, and gives both, with what was streamed. */
async function bothForms(wire: WireFormat, content: WireContent) {
  const whole = await connect(wire, [{ body: wire.whole(content) }]);
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

const listener: Pick<ModelTurnRequest, "onTextDelta"> = { onTextDelta: () => {} };
const LOOKUP = { id: "call_a", name: "orders_lookup", arguments: '{"orderId":"ORD-1"}' };
const QUOTE = { id: "call_b", name: "shipping_quote", arguments: '{"city":"Berlin","speed":"express"}' };

describe.each(WIRE_FORMATS)("$name", (wire) => {
  const [isResponses, isChat, isAnthropic, isGemini] = WIRE_FORMATS.map((other) => other === wire);

  it.each<[string, WireContent["end"], string]>([
    ["completely", "complete", "stop"],
    ["because it was too long", "length", "length"],
    ["by a refusal", "refused", "refused"],
  ])("tells a turn that ended %s", async (_how, end, finishReason) => {
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
      expect(turn).toMatchObject({
        text: "Let me look.",
        finishReason: "tool_calls",
        parts: [
          { type: "text", text: "Let me look." },
          { type: "tool_call", toolCallId: "tc_1", providerCallId: "call_a", name: "orders.lookup" },
          { type: "tool_call", toolCallId: "tc_2", providerCallId: "call_b", name: "shipping_quote" },
        ],
      });
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
  it.skipIf(isGemini)("keeps the raw text of arguments that are no JSON, and repeats it in the next turn", async () => {
    const broken = { calls: [{ ...LOOKUP, arguments: '{"orderId": "ORD-1' }, QUOTE], end: "complete" as const };
    const { models, requests } = await connect(wire, [
      { body: wire.stream(broken) },
      { body: wire.whole({ text: "Sorry.", end: "complete" }) },
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
  });

  it.skipIf(isGemini || isAnthropic)("takes a call without any arguments for one with none", async () => {
    const { turns } = await bothForms(wire, { calls: [{ ...LOOKUP, arguments: "" }], end: "complete" });
    for (const turn of turns) expect(turn.toolCalls).toMatchObject([{ parameters: {} }]);
  });

  it("does not take two calls with one id for the same call", async () => {
    const content: WireContent = { calls: [LOOKUP, { ...QUOTE, id: LOOKUP.id }], end: "complete" };
    // In a stream of chat completions the SDK gives the second one an id of its own.
    for (const body of [wire.whole(content), ...(isChat ? [] : [wire.stream(content)])]) {
      const { models } = await connect(wire, [{ body }]);
      const streaming = Array.isArray(body) ? listener : {};
      await expect(models.runTurn(turnRequest({ model: wire.model, ...streaming }))).rejects.toMatchObject({
        code: "MODEL_ERROR",
        isRetryable: true,
      });
    }
  });

  it.each([
    ["broken off by its server", 1, true],
    ["ended without its last event", isResponses || isGemini ? 1 : 2, false],
  ])("fails retryably on a stream that was %s", async (_how, missingEvents, isCutOff) => {
    const events = wire.stream({ text: "It was shipped today.", end: "complete" });
    const cut = isChat ? events.slice(0, -3) : events.slice(0, -missingEvents);
    const { models } = await connect(wire, [{ body: cut, isCutOff }]);
    await expect(models.runTurn(turnRequest({ model: wire.model, ...listener }))).rejects.toMatchObject({
      name: "ModelTurnError",
      code: "MODEL_ERROR",
      isRetryable: true,
    });
  });

  it("fails on an answer that is none of its wire format", async () => {
    const { models } = await connect(wire, [{ body: { hello: "world" } }]);
    const failure = await failureOf(models.runTurn(turnRequest({ model: wire.model })));
    expect(failure).toMatchObject({ name: "ModelTurnError", code: "MODEL_ERROR" });
  });

  it.each<[ModelTurnRequest["toolChoice"], RegExp]>([
    ["auto", /"auto"|"AUTO"/],
    ["required", /"required"|"any"|"ANY"/],
    ["none", /"none"|"NONE"/],
  ])("asks for tool choice %s in the provider's words", async (toolChoice, expected) => {
    const calls = toolChoice === "none" ? [] : [LOOKUP];
    const { models, requests } = await connect(wire, [{ body: wire.whole({ text: "Well.", calls, end: "complete" }) }]);
    await models.runTurn(turnRequest({ model: wire.model, toolChoice }));
    expect(JSON.stringify(requests[0]?.body)).toMatch(expected);
    expect(JSON.stringify(requests[0]?.body)).toContain("orders_lookup");
  });

  it.each<[string, ModelTurnRequest["toolChoice"], WireContent]>([
    ["a call although none was allowed", "none", { calls: [LOOKUP], end: "complete" }],
    ["no call although one was required", "required", { text: "No.", end: "complete" }],
  ])("fails on %s", async (_what, toolChoice, content) => {
    for (const body of [wire.whole(content), wire.stream(content)]) {
      const { models } = await connect(wire, [{ body }]);
      const streaming = Array.isArray(body) ? listener : {};
      const run = models.runTurn(turnRequest({ model: wire.model, toolChoice, ...streaming }));
      await expect(run).rejects.toMatchObject({ code: "MODEL_ERROR", isRetryable: false });
    }
  });

  it("tells a refusal as one even where a call was required", async () => {
    const { models } = await connect(wire, [{ body: wire.whole({ text: "I can't.", end: "refused" }) }]);
    await expect(models.runTurn(turnRequest({ model: wire.model, toolChoice: "required" }))).resolves.toMatchObject({
      finishReason: "refused",
      text: "I can't.",
    });
  });
});

const [responses, , anthropic, gemini] = WIRE_FORMATS;
if (responses === undefined || anthropic === undefined || gemini === undefined) throw new Error("a wire is missing");

describe("what only one provider has", () => {
  it.each([
    ["whole", false],
    ["streamed", true],
  ])("sends Gemini's thought signatures back where they came from, %s", async (_form, isStreamed) => {
    const signed = {
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text: "Let me see.", thought: true, thoughtSignature: "thought-1" },
              { functionCall: { name: "orders_lookup", args: { orderId: "ORD-1" } }, thoughtSignature: "call-1" },
              { functionCall: { name: "orders_lookup", args: { orderId: "ORD-2" } } },
            ],
          },
          finishReason: "STOP",
        },
      ],
    };
    const { models, requests } = await connect(gemini, [
      { body: isStreamed ? [JSON.stringify(signed)] : signed },
      { body: gemini.whole({ text: "Both were shipped.", end: "complete" }) },
    ]);
    const first = await models.runTurn(turnRequest({ model: "gemini-3-pro-preview", ...(isStreamed ? listener : {}) }));
    const stored: ModelTurn = JSON.parse(JSON.stringify(first));
    const ids = first.toolCalls.map((call) => call.providerCallId);
    expect(ids[0]).toMatch(/^call_[a-z0-9]{20}$/);

    const results = [
      { isError: false, text: '"shipped"' },
      { isError: false, text: '"shipped"' },
    ];
    const messages = [QUESTION, ...answered(stored, results)];
    await models.runTurn(turnRequest({ model: "gemini-3-pro-preview", turn: 2, messages }));
    expect(requests[1]?.body).toMatchObject({
      contents: [
        {},
        {
          parts: [
            { text: "Let me see.", thought: true, thoughtSignature: "thought-1" },
            { functionCall: { args: { orderId: "ORD-1" } }, thoughtSignature: "call-1" },
            { functionCall: { args: { orderId: "ORD-2" } } },
          ],
        },
        { parts: [{ functionResponse: {} }, { functionResponse: {} }] },
      ],
    });
  });

  it("tells a prompt that Gemini blocked as refused", async () => {
    const { models } = await connect(gemini, [{ body: { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } } }]);
    await expect(models.runTurn(turnRequest({ model: gemini.model }))).resolves.toMatchObject({
      finishReason: "refused",
      text: "",
      parts: [],
    });
  });

  it("fails retryably where Gemini could not write its own call", async () => {
    const { models } = await connect(gemini, [{ body: { candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] } }]);
    await expect(models.runTurn(turnRequest({ model: gemini.model }))).rejects.toMatchObject({
      code: "MODEL_ERROR",
      isRetryable: true,
      message: expect.stringContaining("MALFORMED_FUNCTION_CALL"),
    });
  });

  it("fails retryably on an overload that Anthropic reports inside its stream", async () => {
    const start = anthropic.stream({ text: "It was", end: "complete" }).slice(0, 3);
    const error = JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    const { models } = await connect(anthropic, [{ body: [...start, error] }]);
    await expect(models.runTurn(turnRequest({ model: anthropic.model, ...listener }))).rejects.toMatchObject({
      code: "MODEL_ERROR",
      isRetryable: true,
      message: expect.stringContaining("Overloaded"),
    });
  });

  it("does not try again on an account of OpenAI's that is empty", async () => {
    const error = {
      message: "You exceeded your current quota.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    };
    const { models } = await connect(responses, [{ status: 429, body: { error } }]);
    await expect(models.runTurn(turnRequest({ model: responses.model }))).rejects.toMatchObject({ isRetryable: false });
  });

  it("tells a refusal in OpenAI's own field as refused", async () => {
    const output = [
      { type: "message", id: "msg_1", role: "assistant", content: [{ type: "refusal", refusal: "I can't help." }] },
    ];
    const { models } = await connect(responses, [{ body: { ...responses.whole({ end: "complete" }), output } }]);
    await expect(models.runTurn(turnRequest({ model: responses.model }))).resolves.toMatchObject({
      finishReason: "refused",
      text: "I can't help.",
    });
  });
});
