import { LLMock } from "@copilotkit/aimock";
import type { JsonValue } from "@yagate/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import type { AssistantPart, ModelTurn, ModelTurnRequest } from "../src/port.ts";
import type { ProvidersSettings } from "../src/provider-settings.ts";
import { recordingFetch } from "./support/recording-fetch.ts";
import { answered, QUESTION, turnRequest } from "./support/turn-request.ts";

/** One wire format: how it is reached, and what a conversation looks like in it. */
interface Wire {
  readonly name: string;
  readonly model: string;
  readonly path: string;
  readonly settings: (url: string) => ProvidersSettings;
  readonly apiKeyHeader: readonly [name: string, value: string | null];
  /** How many tokens aimock is to report, in the wire's own words. */
  readonly usage: Readonly<Record<string, number>>;
  /** The part of a request that holds the answers to a first turn. */
  readonly history: (turn: ModelTurn) => object;
}

const metadataOf = (turn: ModelTurn, index: number) => turn.parts[index]?.providerMetadata ?? {};

const CHAT_USAGE = { prompt_tokens: 11, completion_tokens: 7 };

/** The conversation in chat completions. */
const chatHistory =
  (assistant: object, question: JsonValue = "Where is order ORD-1?") =>
  () => ({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: question },
      {
        role: "assistant",
        ...assistant,
        tool_calls: [
          { id: "call_a", type: "function", function: { name: "orders_lookup", arguments: '{"orderId":"ORD-1"}' } },
          { id: "call_b", type: "function", function: { name: "shipping_quote", arguments: '{"city":"Berlin"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_a", content: '{"status":"shipped"}' },
      { role: "tool", tool_call_id: "call_b", content: '{"error":{"code":"TIMEOUT"}}' },
    ],
  });

// Not Mistral and xAI: aimock leaves out of their streams and answers what those two always say.
const WIRES: readonly Wire[] = [
  {
    name: "OpenAI's Responses API",
    model: "openai/gpt-5",
    path: "/v1/responses",
    settings: () => ({ openai: { apiKey: "sk-test-0123456789" } }),
    apiKeyHeader: ["authorization", "Bearer sk-test-0123456789"],
    usage: { input_tokens: 11, output_tokens: 7 },
    history: (turn) => ({
      store: false,
      include: ["reasoning.encrypted_content"],
      input: [
        { role: "developer", content: "Be brief." },
        { role: "user", content: [{ type: "input_text", text: "Where is order ORD-1?" }] },
        {
          type: "reasoning",
          id: readText(metadataOf(turn, 0)["openai"], "itemId"),
          encrypted_content: readText(metadataOf(turn, 0)["openai"], "reasoningEncryptedContent"),
          summary: [{ type: "summary_text", text: "Two calls will do." }],
        },
        { type: "function_call", call_id: "call_a", name: "orders_lookup", arguments: '{"orderId":"ORD-1"}' },
        { type: "function_call", call_id: "call_b", name: "shipping_quote", arguments: '{"city":"Berlin"}' },
        { type: "function_call_output", call_id: "call_a", output: '{"status":"shipped"}' },
        { type: "function_call_output", call_id: "call_b", output: '{"error":{"code":"TIMEOUT"}}' },
      ],
    }),
  },
  {
    name: "a server compatible with OpenAI's chat completions",
    model: "openai/qwen3:8b",
    path: "/v1/chat/completions",
    settings: (url) => ({ openai: { apiKey: "sk-test-0123456789", baseUrl: `${url}/v1` } }),
    apiKeyHeader: ["authorization", "Bearer sk-test-0123456789"],
    usage: CHAT_USAGE,
    history: chatHistory({ reasoning_content: "Two calls will do." }),
  },
  {
    name: "Ollama, without a key",
    model: "ollama/qwen3:8b",
    path: "/v1/chat/completions",
    settings: (url) => ({ ollama: { baseUrl: url } }),
    apiKeyHeader: ["authorization", null],
    usage: CHAT_USAGE,
    history: chatHistory({ reasoning_content: "Two calls will do." }),
  },
  {
    name: "Z.AI",
    model: "glm-4.6",
    path: "/v1/chat/completions",
    settings: (url) => ({ zai: { apiKey: "zai-test", baseUrl: `${url}/v1` } }),
    apiKeyHeader: ["authorization", "Bearer zai-test"],
    usage: CHAT_USAGE,
    history: chatHistory({ reasoning_content: "Two calls will do." }),
  },
  {
    name: "DeepSeek",
    model: "deepseek-reasoner",
    path: "/chat/completions",
    settings: (url) => ({ deepseek: { apiKey: "deepseek-test", baseUrl: `${url}/v1` } }),
    apiKeyHeader: ["authorization", "Bearer deepseek-test"],
    usage: CHAT_USAGE,
    history: chatHistory({ reasoning_content: "Two calls will do." }),
  },
  {
    name: "Alibaba Cloud",
    model: "qwen3-max",
    path: "/v1/chat/completions",
    settings: (url) => ({ alibaba: { apiKey: "alibaba-test", baseUrl: `${url}/v1` } }),
    apiKeyHeader: ["authorization", "Bearer alibaba-test"],
    usage: CHAT_USAGE,
    history: chatHistory({ reasoning_content: "Two calls will do." }, [
      { type: "text", text: "Where is order ORD-1?" },
    ]),
  },
  {
    name: "Anthropic",
    model: "claude-sonnet-4-20250514",
    path: "/v1/messages",
    settings: (url) => ({ anthropic: { apiKey: "sk-ant-test", baseUrl: url } }),
    apiKeyHeader: ["x-api-key", "sk-ant-test"],
    usage: { input_tokens: 11, output_tokens: 7 },
    history: () => ({
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Where is order ORD-1?" }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Two calls will do.", signature: "signature-1" },
            { type: "tool_use", id: "call_a", name: "orders_lookup", input: { orderId: "ORD-1" } },
            { type: "tool_use", id: "call_b", name: "shipping_quote", input: { city: "Berlin" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_a", content: '{"status":"shipped"}' },
            { type: "tool_result", tool_use_id: "call_b", content: '{"code":"TIMEOUT"}', is_error: true },
          ],
        },
      ],
    }),
  },
  {
    name: "Gemini",
    model: "gemini-2.5-flash",
    path: "/v1beta/models/gemini-2.5-flash:",
    settings: (url) => ({ google: { apiKey: "google-test", baseUrl: url } }),
    apiKeyHeader: ["x-goog-api-key", "google-test"],
    usage: { promptTokenCount: 11, candidatesTokenCount: 7 },
    history: () => ({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "Where is order ORD-1?" }] },
        {
          role: "model",
          parts: [
            { text: "Two calls will do.", thought: true },
            { functionCall: { name: "orders_lookup", args: { orderId: "ORD-1" } } },
            { functionCall: { name: "shipping_quote", args: { city: "Berlin" } } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "orders_lookup", response: { content: '{"status":"shipped"}' } } },
            { functionResponse: { name: "shipping_quote", response: { error: { code: "TIMEOUT" } } } },
          ],
        },
      ],
    }),
  },
];

function readText(value: JsonValue | undefined, key: string): string {
  const found = typeof value === "object" && value !== null && !Array.isArray(value) ? value[key] : undefined;
  return typeof found === "string" ? found : "";
}

const mock = new LLMock({ port: 0 });
beforeAll(() => mock.start());
afterEach(() => mock.reset());
afterAll(() => mock.stop());

function connect(wire: Wire) {
  const { fetch, requests } = recordingFetch({ from: "https://api.openai.com", to: mock.url });
  return { models: createModels({ providers: wire.settings(mock.url), fetch }), requests };
}

function listening(): Pick<ModelTurnRequest, "onTextDelta"> & { readonly deltas: string[] } {
  const deltas: string[] = [];
  return { deltas, onTextDelta: (text) => deltas.push(text) };
}

const callOf = (part: AssistantPart) => (part.type === "tool_call" ? [part.providerCallId] : []);

describe.each(WIRES)("$name", (wire) => {
  const { model } = wire;

  function expectTwoCalls() {
    mock.on(
      { userMessage: "Where is", hasToolResult: false },
      {
        reasoning: "Two calls will do.",
        reasoningSignature: "signature-1",
        toolCalls: [
          { id: "call_a", name: "orders_lookup", arguments: '{"orderId":"ORD-1"}' },
          { id: "call_b", name: "shipping_quote", arguments: '{"city":"Berlin"}' },
        ],
        usage: wire.usage,
      },
    );
    mock.on({ userMessage: "Where is", hasToolResult: true }, { content: "It was shipped, it says here." });
  }

  it.each([
    ["whole", false],
    ["streamed", true],
  ])("asks for two calls at once and gets both results back, %s", async (_form, isStreamed) => {
    expectTwoCalls();
    const { models, requests } = connect(wire);
    const { deltas, onTextDelta } = listening();
    const listener = isStreamed && onTextDelta !== undefined ? { onTextDelta } : {};

    const first = await models.runTurn(turnRequest({ model, ...listener }));
    expect(first).toMatchObject({
      text: "",
      finishReason: "tool_calls",
      usage: { inputTokens: 11, outputTokens: 7 },
      toolCalls: [
        { toolCallId: "tc_1", providerCallId: "call_a", name: "orders.lookup", parameters: { orderId: "ORD-1" } },
        { toolCallId: "tc_2", providerCallId: "call_b", name: "shipping_quote", parameters: { city: "Berlin" } },
      ],
    });
    expect(first.parts.flatMap(callOf)).toEqual(["call_a", "call_b"]);
    expect(deltas).toEqual([]);

    // What is stored is JSON, and comes back from there.
    const stored: ModelTurn = JSON.parse(JSON.stringify(first));
    const results = [
      { isError: false, text: '{"status":"shipped"}' },
      { isError: true, text: '{"error":{"code":"TIMEOUT"}}' },
    ];
    const second = await models.runTurn(
      turnRequest({ model, ...listener, turn: 2, messages: [QUESTION, ...answered(stored, results)] }),
    );
    expect(second).toMatchObject({ text: "It was shipped, it says here.", finishReason: "stop", toolCalls: [] });
    expect(deltas.join("")).toBe(isStreamed ? second.text : "");
    expect(deltas.length > 1).toBe(isStreamed);

    const sent = requests.at(-1);
    expect(sent?.url).toContain(wire.path);
    expect(sent?.headers.get(wire.apiKeyHeader[0])).toBe(wire.apiKeyHeader[1]);
    expect(sent?.body).toMatchObject(wire.history(stored));
    expect(requests).toHaveLength(2);
  });

  it("gives the same turn whole and streamed", async () => {
    expectTwoCalls();
    const { models } = connect(wire);
    const { onTextDelta } = listening();
    const whole = await models.runTurn(turnRequest({ model }));
    const streamed = await models.runTurn(
      turnRequest({ model, ...(onTextDelta === undefined ? {} : { onTextDelta }) }),
    );
    // Each answer has an id of its own.
    const withoutMetadata = ({ parts, response, ...turn }: ModelTurn) => ({
      ...turn,
      answeredBy: response?.model,
      parts: parts.map(({ providerMetadata, ...part }) => ({ ...part, from: Object.keys(providerMetadata ?? {}) })),
    });
    expect(withoutMetadata(streamed)).toEqual(withoutMetadata(whole));
  });

  it("sends the tools' schemas as they were saved", async () => {
    mock.on({ userMessage: "Where is" }, { content: "No idea." });
    const { models, requests } = connect(wire);
    await models.runTurn(turnRequest({ model }));
    expect(JSON.stringify(requests[0]?.body)).toContain('"enum":["standard","express"]');
    expect(JSON.stringify(requests[0]?.body)).toContain('"orders_lookup"');
  });

  it.each([
    ["whole", false],
    ["streamed", true],
  ])("fails once with 429 and then goes on, %s", async (_form, isStreamed) => {
    mock.on(
      { userMessage: "Where is", sequenceIndex: 0 },
      { error: { message: `slow down, ${wire.apiKeyHeader[1]?.replace("Bearer ", "")}` }, status: 429, retryAfter: 7 },
    );
    mock.on({ userMessage: "Where is", sequenceIndex: 1 }, { content: "It was shipped." });
    const { models, requests } = connect(wire);
    const { onTextDelta } = listening();
    const request = turnRequest({ model, ...(isStreamed && onTextDelta !== undefined ? { onTextDelta } : {}) });

    const failure = await models.runTurn(request).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: "ModelTurnError",
      code: "MODEL_ERROR",
      isRetryable: true,
      retryAfterMs: 7000,
    });
    expect(String(failure)).toContain("429");
    const key = wire.apiKeyHeader[1]?.replace("Bearer ", "") ?? "no key";
    expect(String(failure)).not.toContain(key);
    expect(requests).toHaveLength(1);

    await expect(models.runTurn(request)).resolves.toMatchObject({ text: "It was shipped.", finishReason: "stop" });
  });

  it.each([
    [500, true, /HTTP 500: it broke/],
    [503, true, /HTTP 503/],
    [408, true, /HTTP 408/],
    [400, false, /HTTP 400: it broke/],
    [404, false, /HTTP 404/],
    [401, false, /rejected the API key \(HTTP 401\); check [A-Z_]+_API_KEY$/],
    [403, false, /rejected the API key \(HTTP 403\); check [A-Z_]+_API_KEY$/],
  ])("fails with %i (retryable: %s)", async (status, isRetryable, message) => {
    mock.on({ userMessage: "Where is" }, { error: { message: "it broke" }, status });
    const { models } = connect(wire);
    await expect(models.runTurn(turnRequest({ model }))).rejects.toMatchObject({
      code: "MODEL_ERROR",
      isRetryable,
      message: expect.stringMatching(message),
    });
  });
});
