import { afterEach, describe, expect, it } from "vitest";
import { createModels } from "../../src/models/create-models.ts";
import type { AssistantPart, ModelTurn, ModelTurnRequest } from "../../src/models/port.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { answered, QUESTION, turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";
import { ALL_WIRES } from "./support/wires/all-wires.ts";
import { anthropic } from "./support/wires/anthropic.ts";
import { alibaba, deepseek, ollama, zai } from "./support/wires/chat-completions.ts";
import { gemini } from "./support/wires/gemini.ts";
import { mistral, mistralThoughts } from "./support/wires/mistral.ts";
import { openAiResponses } from "./support/wires/openai-responses.ts";
import type { WireContent, WireFormat } from "./support/wires/wire-format.ts";
import { xai } from "./support/wires/xai.ts";

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
  return () => (count++ * 0.618034) % 1;
}

/** What a wire answers where nobody listens. */
const unheard = (wire: WireFormat, content: WireContent) => wire.whole?.(content) ?? wire.stream(content);

/** An answer in every form that the wire has, and what asks for it. */
function formsOf(wire: WireFormat, content: WireContent) {
  return [
    { body: unheard(wire, content), request: {} },
    { body: wire.stream(content), request: listener },
  ];
}

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

const listener: Pick<ModelTurnRequest, "onTextDelta"> = { onTextDelta: () => {} };
const LOOKUP = { id: "call_a", name: "orders_lookup", arguments: '{"orderId":"ORD-1"}' };
const QUOTE = { id: "call_b", name: "shipping_quote", arguments: '{"city":"Berlin","speed":"express"}' };

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

  it("does not take two calls with one id for the same call", async () => {
    const content: WireContent = { calls: [LOOKUP, { ...QUOTE, id: LOOKUP.id }], end: "complete" };
    for (const { body, request } of formsOf(wire, content)) {
      const { models } = await connect(wire, [{ body }]);
      const run = models.runTurn(turnRequest({ model: wire.model, ...request }));
      if (lacks("doubled ids in streams") && Array.isArray(body)) {
        const ids = (await run).toolCalls.map(({ providerCallId }) => providerCallId);
        expect(new Set(ids).size).toBe(2);
      } else await expect(run).rejects.toMatchObject({ code: "MODEL_ERROR", isRetryable: true });
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

const RESULTS = [
  { isError: false, text: '{"status":"shipped"}' },
  { isError: true, text: '{"error":{"code":"TIMEOUT"}}' },
];
const toCall = (name: string, text: string) => ({ type: "function", function: { name, arguments: text } });

/** What is stored is JSON, and comes back from there. */
const stored = (turn: ModelTurn): ModelTurn => JSON.parse(JSON.stringify(turn));

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
      { body: unheard(gemini, { text: "Both were shipped.", end: "complete" }) },
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
    const { models } = await connect(openAiResponses, [{ status: 429, body: { error } }]);
    await expect(models.runTurn(turnRequest({ model: openAiResponses.model }))).rejects.toMatchObject({
      isRetryable: false,
    });
  });

  it("tells a refusal in OpenAI's own field as refused", async () => {
    const output = [
      { type: "message", id: "msg_1", role: "assistant", content: [{ type: "refusal", refusal: "I can't help." }] },
    ];
    const { models } = await connect(openAiResponses, [
      { body: { ...openAiResponses.whole?.({ end: "complete" }), output } },
    ]);
    await expect(models.runTurn(turnRequest({ model: openAiResponses.model }))).resolves.toMatchObject({
      finishReason: "refused",
      text: "I can't help.",
    });
  });

  it.each([
    ["a part of a turn that is cut is not run", { calls: [LOOKUP], end: "length" as const }, "length"],
    ["nor is a refused one", { calls: [LOOKUP], end: "refused" as const }, "refused"],
  ])("of xAI's whole answers: %s", async (_what, content, finishReason) => {
    const { models } = await connect(xai, [{ body: unheard(xai, content) }]);
    await expect(models.runTurn(turnRequest({ model: xai.model }))).resolves.toMatchObject({ finishReason });
  });

  it.each([
    ["whole", {}],
    ["streamed", listener],
  ])("sends xAI its encrypted reasoning and the results of its calls back, %s", async (_form, request) => {
    const content: WireContent = { reasoning: "Two calls will do.", calls: [LOOKUP, QUOTE], end: "complete" };
    const first = request === listener ? xai.stream(content) : unheard(xai, content);
    const { models, requests } = await connect(xai, [
      { body: first },
      { body: unheard(xai, { text: "Shipped.", end: "complete" }) },
    ]);
    const turn = await models.runTurn(turnRequest({ model: xai.model, ...request }));
    await models.runTurn(
      turnRequest({ model: xai.model, turn: 2, messages: [QUESTION, ...answered(stored(turn), RESULTS)] }),
    );
    expect(requests[1]).toMatchObject({
      url: expect.stringMatching(/\/v1\/responses$/),
      body: {
        store: false,
        include: ["reasoning.encrypted_content"],
        input: [
          { role: "system", content: "Be brief." },
          { role: "user" },
          { type: "reasoning", id: "rs_1", encrypted_content: "encrypted-1" },
          { type: "function_call", call_id: "call_a", name: "orders_lookup", arguments: LOOKUP.arguments },
          { type: "function_call", call_id: "call_b", name: "shipping_quote", arguments: QUOTE.arguments },
          { type: "function_call_output", call_id: "call_a", output: '{"status":"shipped"}' },
          { type: "function_call_output", call_id: "call_b", output: '{"error":{"code":"TIMEOUT"}}' },
        ],
      },
    });
  });

  it("sends Mistral its thoughts and the results of its calls back, under its own ids", async () => {
    const calls = [
      { ...LOOKUP, id: "D681PevKs" },
      { ...QUOTE, id: "xq2FvW9kA" },
    ];
    const { models, requests } = await connect(mistral, [
      { body: mistralThoughts({ reasoning: "Two calls will do.", text: "Let me look.", calls, end: "complete" }) },
      { body: unheard(mistral, { text: "Shipped.", end: "complete" }) },
    ]);
    const turn = await models.runTurn(turnRequest({ model: "magistral-medium-latest" }));
    expect(turn.parts.map(({ type }) => type)).toEqual(["reasoning", "text", "tool_call", "tool_call"]);
    const messages = [QUESTION, ...answered(stored(turn), RESULTS)];
    await models.runTurn(turnRequest({ model: "magistral-medium-latest", turn: 2, messages }));
    expect(requests[1]?.body).toMatchObject({
      messages: [
        { role: "system" },
        { role: "user" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: [{ type: "text", text: "Two calls will do." }] },
            { type: "text", text: "Let me look." },
          ],
          tool_calls: [{ id: "D681PevKs" }, { id: "xq2FvW9kA" }],
        },
        { role: "tool", tool_call_id: "D681PevKs", name: "orders_lookup", content: '{"status":"shipped"}' },
        { role: "tool", tool_call_id: "xq2FvW9kA", content: '{"error":{"code":"TIMEOUT"}}' },
      ],
    });
  });

  it("makes ids of the form that Mistral takes back, where it leaves them out of a stream", async () => {
    const body = mistral
      .stream({ calls: [LOOKUP, QUOTE], end: "complete" })
      .map((event) => event.replace(/"id":"call_[ab]"/, '"id":null'));
    const { models } = await connect(mistral, [{ body }]);
    const { toolCalls } = await models.runTurn(turnRequest({ model: mistral.model, ...listener }));
    const ids = toolCalls.map(({ providerCallId }) => providerCallId);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ["DeepSeek", deepseek],
    ["Z.AI", zai],
    ["Ollama", ollama],
  ])("sends %s what it reasoned before its calls back", async (_name, wire) => {
    const content: WireContent = { reasoning: "Two calls will do.", calls: [LOOKUP, QUOTE], end: "complete" };
    for (const { body, request } of formsOf(wire, content)) {
      const { models, requests } = await connect(wire, [
        { body },
        { body: unheard(wire, { text: "Shipped.", end: "complete" }) },
      ]);
      const turn = await models.runTurn(turnRequest({ model: wire.model, ...request }));
      expect(turn.parts[0]).toMatchObject({ type: "reasoning", text: "Two calls will do." });
      const messages = [QUESTION, ...answered(stored(turn), RESULTS)];
      await models.runTurn(turnRequest({ model: wire.model, turn: 2, messages }));
      expect(requests[1]?.body).toMatchObject({
        messages: [{}, {}, { role: "assistant", reasoning_content: "Two calls will do." }, {}, {}],
      });
    }
  });

  it("asks Alibaba Cloud for a stream where nobody listens", async () => {
    const { models, requests } = await connect(alibaba, [
      { body: alibaba.stream({ text: "Shipped.", end: "complete" }) },
    ]);
    await expect(models.runTurn(turnRequest({ model: alibaba.model }))).resolves.toMatchObject({ text: "Shipped." });
    expect(requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it.each([
    ["groq", "https://api.groq.com/openai/v1", false],
    ["cerebras", "https://api.cerebras.ai/v1", false],
    ["house", "https://llm.example/v1", true],
  ])("sends %s reasoning back only if it takes it", async (name, baseUrl, isSent) => {
    const content: WireContent = { reasoning: "One call will do.", calls: [LOOKUP], end: "complete" };
    const server = await startWireServer([
      { body: unheard(ollama, content) },
      { body: unheard(ollama, { text: "Shipped.", end: "complete" }) },
    ]);
    servers.push(server);
    const { fetch, requests } = recordingFetch({ from: baseUrl, to: server.url });
    const models = createModels({ providers: { [name]: { apiKey: "sk-test", baseUrl } }, fetch });
    const model = `${name}/openai/gpt-oss-120b`;
    const turn = await models.runTurn(turnRequest({ model }));
    await models.runTurn(turnRequest({ model, turn: 2, messages: [QUESTION, ...answered(stored(turn), RESULTS)] }));
    expect(JSON.stringify(requests[1]?.body)).toContain("call_a");
    expect(JSON.stringify(requests[1]?.body).includes("reasoning_content")).toBe(isSent);
  });

  it("fills in what a compatible server leaves out: ids, arguments, counts", async () => {
    const bare = { index: 0, message: { tool_calls: [toCall("orders_lookup", ""), toCall("shipping_quote", "{}")] } };
    const chunk = (delta: object, finish?: string) => JSON.stringify({ choices: [{ delta, finish_reason: finish }] });
    const stream = [
      chunk({ tool_calls: [{ index: 0, ...toCall("orders_lookup", "") }] }),
      chunk({ tool_calls: [{ index: 1, ...toCall("shipping_quote", "{}") }] }),
      chunk({}, "stop"),
    ];
    for (const body of [{ choices: [bare] }, stream]) {
      const { models } = await connect(ollama, [{ body }]);
      const turn = await models.runTurn(turnRequest({ model: ollama.model, ...(Array.isArray(body) ? listener : {}) }));
      expect(turn).toMatchObject({ finishReason: "tool_calls", usage: { inputTokens: 0, outputTokens: 0 } });
      expect(turn.toolCalls).toMatchObject([
        { name: "orders.lookup", parameters: {}, providerCallId: expect.stringMatching(/./) },
        { name: "shipping_quote", parameters: {}, providerCallId: expect.stringMatching(/./) },
      ]);
      expect(turn.toolCalls[0]?.providerCallId).not.toBe(turn.toolCalls[1]?.providerCallId);
    }
  });

  it("can't read arguments that are an object instead of a text, and says so", async () => {
    const call = { id: "call_a", function: { name: "orders_lookup", arguments: { orderId: "ORD-1" } } };
    const whole = { choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }] };
    const stream = [JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, ...call }] } }] })];
    for (const body of [whole, stream]) {
      const { models } = await connect(ollama, [{ body }]);
      const run = models.runTurn(turnRequest({ model: ollama.model, ...(Array.isArray(body) ? listener : {}) }));
      await expect(run).rejects.toMatchObject({
        code: "MODEL_ERROR",
        isRetryable: false,
        message: "ollama sent an answer that could not be read",
      });
    }
  });
});
