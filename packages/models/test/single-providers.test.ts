import { describe, expect, it, onTestFinished } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { ModelTurn } from "../src/port.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { answered, QUESTION, turnRequest } from "./support/turn-request.ts";
import { startWireServer, type WireAnswer } from "./support/wire-server.ts";
import { anthropic } from "./support/wires/anthropic.ts";
import { alibaba, deepseek, ollama, zai } from "./support/wires/chat-completions.ts";
import { connect, formsOf, LOOKUP, listener, QUOTE, unheard } from "./support/wires/connect.ts";
import { gemini } from "./support/wires/gemini.ts";
import { mistral, mistralThoughts } from "./support/wires/mistral.ts";
import { openAiResponses } from "./support/wires/openai-responses.ts";
import type { WireContent } from "./support/wires/wire-format.ts";
import { xai } from "./support/wires/xai.ts";

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

  it.each([
    ["DeepSeek, which ran out of machines", deepseek, "insufficient_system_resource"],
    ["Z.AI, whose network failed", zai, "network_error"],
    ["a router whose server failed", ollama, "error"],
  ])("fails retryably on an answer of %s", async (_what, wire, reason) => {
    for (const { body, request } of formsOf(wire, { text: "It was", end: "complete" })) {
      const ended: WireAnswer["body"] = JSON.parse(JSON.stringify(body).replaceAll("stop", reason));
      const { models } = await connect(wire, [{ body: ended }]);
      await expect(models.runTurn(turnRequest({ model: wire.model, ...request }))).rejects.toMatchObject({
        code: "MODEL_ERROR",
        isRetryable: true,
        message: expect.stringContaining(reason),
      });
    }
  });

  it("tells a turn that Z.AI cut because the conversation fills its window", async () => {
    const body = JSON.parse(
      JSON.stringify(unheard(zai, { calls: [LOOKUP], end: "length" })).replace(
        '"length"',
        '"model_context_window_exceeded"',
      ),
    );
    const { models } = await connect(zai, [{ body }]);
    await expect(models.runTurn(turnRequest({ model: zai.model }))).resolves.toMatchObject({ finishReason: "length" });
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
    onTestFinished(() => server.stop());
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

  it.each<[string, object, object]>([
    ["an object", { arguments: { orderId: "ORD-1" } }, { orderId: "ORD-1" }],
    ["null", { arguments: null }, {}],
    ["absent", {}, {}],
  ])("reads arguments that are %s, whole and streamed", async (_what, given, parameters) => {
    const call = { id: "call_a", function: { name: "orders_lookup", ...given } };
    const whole = { choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }] };
    const stream = [
      JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, ...call }] } }] }),
      JSON.stringify({ choices: [{ delta: {}, finish_reason: "tool_calls" }] }),
    ];
    for (const body of [whole, stream]) {
      const { models } = await connect(ollama, [{ body }]);
      const turn = await models.runTurn(turnRequest({ model: ollama.model, ...(Array.isArray(body) ? listener : {}) }));
      expect(turn.toolCalls).toEqual([
        { toolCallId: "tc_1", providerCallId: "call_a", name: "orders.lookup", parameters },
      ]);
    }
  });
});
