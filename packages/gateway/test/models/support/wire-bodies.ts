import type { ProvidersSettings } from "../../../src/models/provider-settings.ts";

/** What a provider is to say. */
export interface WireContent {
  readonly text?: string;
  /** `arguments` is sent as it is, valid JSON or not. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly end: "complete" | "length" | "refused";
}

/** A provider's wire format, written by hand. */
export interface WireFormat {
  readonly name: string;
  readonly model: string;
  readonly settings: (url: string) => ProvidersSettings;
  readonly whole: (content: WireContent) => object;
  /** The `data:` of each server-sent event. */
  readonly stream: (content: WireContent) => readonly string[];
}

const encode = (events: readonly object[]) => events.map((event) => JSON.stringify(event));
const fragments = (text: string) => text.match(/.{1,6}/gs) ?? [];

function responsesEnd({ end }: WireContent) {
  const reason = { complete: undefined, length: "max_output_tokens", refused: "content_filter" }[end];
  return {
    id: "resp_1",
    created_at: 1,
    model: "gpt-4.1",
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    usage: { input_tokens: 11, output_tokens: 7 },
  };
}

const openAiResponses: WireFormat = {
  name: "OpenAI's Responses API",
  model: "openai/gpt-4.1",
  settings: () => ({ openai: { apiKey: "sk-test" } }),
  whole: (content) => ({
    ...responsesEnd(content),
    output: [
      ...(content.text === undefined
        ? []
        : [
            {
              type: "message",
              id: "msg_1",
              role: "assistant",
              content: [{ type: "output_text", text: content.text, annotations: [] }],
            },
          ]),
      ...(content.calls ?? []).map((call) => ({
        type: "function_call",
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
      })),
    ],
  }),
  stream: (content) => {
    const message = { type: "message", id: "msg_1", role: "assistant", content: [] };
    const calls = (content.calls ?? []).map((call, index) => ({
      index: index + 1,
      item: { type: "function_call", id: `fc_${call.id}`, call_id: call.id, name: call.name, status: "completed" },
      arguments: call.arguments,
    }));
    return encode([
      { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-4.1" } },
      ...(content.text === undefined
        ? []
        : [
            { type: "response.output_item.added", output_index: 0, item: message },
            ...fragments(content.text).map((delta) => ({
              type: "response.output_text.delta",
              item_id: "msg_1",
              output_index: 0,
              content_index: 0,
              delta,
            })),
            { type: "response.output_item.done", output_index: 0, item: message },
          ]),
      ...calls.flatMap(({ index, item, arguments: text }) => [
        { type: "response.output_item.added", output_index: index, item: { ...item, arguments: "" } },
        ...fragments(text).map((delta) => ({
          type: "response.function_call_arguments.delta",
          item_id: item.id,
          output_index: index,
          delta,
        })),
        { type: "response.output_item.done", output_index: index, item: { ...item, arguments: text } },
      ]),
      {
        type: content.end === "complete" ? "response.completed" : "response.incomplete",
        response: responsesEnd(content),
      },
    ]);
  },
};

function chatEnd({ end, calls = [] }: WireContent): string {
  if (end !== "complete") return end === "length" ? "length" : "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}

const toChatCalls = ({ calls = [] }: WireContent) =>
  calls.map((call, index) => ({
    index,
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));

const chatCompletions: WireFormat = {
  name: "OpenAI's chat completions",
  model: "openai/qwen3:8b",
  settings: (url) => ({ openai: { apiKey: "sk-test", baseUrl: `${url}/v1` } }),
  whole: (content) => ({
    id: "chat_1",
    created: 1,
    model: "qwen3:8b",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: content.text ?? null, tool_calls: toChatCalls(content) },
        finish_reason: chatEnd(content),
      },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  }),
  stream: (content) => {
    const chunk = (delta: object, finish: string | null = null) => ({
      id: "chat_1",
      created: 1,
      model: "qwen3:8b",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    return [
      ...encode([
        chunk({ role: "assistant" }),
        ...fragments(content.text ?? "").map((text) => chunk({ content: text })),
        ...toChatCalls(content).map((call) => chunk({ tool_calls: [call] })),
        chunk({}, chatEnd(content)),
        { id: "chat_1", created: 1, model: "qwen3:8b", choices: [], usage },
      ]),
      "[DONE]",
    ];
  },
};

function anthropicEnd({ end, calls = [] }: WireContent): string {
  if (end !== "complete") return end === "length" ? "max_tokens" : "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

const anthropicMessage = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514" };

const anthropic: WireFormat = {
  name: "Anthropic",
  model: "claude-sonnet-4-20250514",
  settings: (url) => ({ anthropic: { apiKey: "sk-ant-test", baseUrl: url } }),
  whole: (content) => ({
    ...anthropicMessage,
    content: [
      ...(content.text === undefined ? [] : [{ type: "text", text: content.text }]),
      ...(content.calls ?? []).map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: JSON.parse(call.arguments),
      })),
    ],
    stop_reason: anthropicEnd(content),
    usage: { input_tokens: 11, output_tokens: 7 },
  }),
  stream: (content) => {
    const blocks = [
      ...(content.text === undefined
        ? []
        : [
            {
              start: { type: "text", text: "" },
              deltas: fragments(content.text).map((text) => ({ type: "text_delta", text })),
            },
          ]),
      ...(content.calls ?? []).map((call) => ({
        start: { type: "tool_use", id: call.id, name: call.name, input: {} },
        deltas: fragments(call.arguments).map((json) => ({ type: "input_json_delta", partial_json: json })),
      })),
    ];
    return encode([
      {
        type: "message_start",
        message: { ...anthropicMessage, content: [], stop_reason: null, usage: { input_tokens: 11, output_tokens: 0 } },
      },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: anthropicEnd(content) }, usage: { output_tokens: 7 } },
      { type: "message_stop" },
    ]);
  },
};

const gemini: WireFormat = {
  name: "Gemini",
  model: "gemini-2.5-flash",
  settings: (url) => ({ google: { apiKey: "google-test", baseUrl: url } }),
  whole: (content) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            ...(content.text === undefined ? [] : [{ text: content.text }]),
            ...(content.calls ?? []).map((call) => ({
              functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) },
            })),
          ],
        },
        finishReason: { complete: "STOP", length: "MAX_TOKENS", refused: "SAFETY" }[content.end],
      },
    ],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
  }),
  stream: (content) => [
    ...fragments(content.text ?? "").map((text) =>
      JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text }] } }] }),
    ),
    JSON.stringify(
      gemini.whole({ end: content.end, ...(content.calls === undefined ? {} : { calls: content.calls }) }),
    ),
  ],
};

export const WIRE_FORMATS: readonly WireFormat[] = [openAiResponses, chatCompletions, anthropic, gemini];
