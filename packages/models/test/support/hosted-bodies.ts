import type { ProvidersSettings } from "../../src/provider-settings.ts";

const URL_FOUND = "https://news.example/yagate";
const QUERY = "yagate release";
const ANSWER = "It came out in May.";

/** A provider that searches the web itself, answering once with a search: its wire format, written by hand. */
export interface HostedWire {
  readonly name: string;
  readonly model: string;
  /** Where the AI SDK sends it; what the test's server takes over. */
  readonly origin: string;
  readonly settings: (url: string) => ProvidersSettings;
  readonly whole: object;
  readonly stream: readonly string[];
  /** What the provider is to be sent for the tool. */
  readonly sentTool: object;
  /** The record of the search. */
  readonly call: object;
  /** What of the answer the next request must repeat. */
  readonly repeated: readonly object[];
}

const encode = (events: readonly object[]) => events.map((event) => JSON.stringify(event));

const openAiItems = [
  {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: QUERY, queries: [QUERY], sources: [{ type: "url", url: URL_FOUND }] },
  },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    content: [
      {
        type: "output_text",
        text: ANSWER,
        annotations: [{ type: "url_citation", start_index: 0, end_index: 4, url: URL_FOUND, title: "News" }],
      },
    ],
  },
];
const openAiEnd = {
  id: "resp_1",
  created_at: 1,
  model: "gpt-5",
  status: "completed",
  usage: { input_tokens: 1_000, output_tokens: 100 },
};

const openAi: HostedWire = {
  name: "OpenAI",
  model: "openai/gpt-5",
  origin: "https://api.openai.com",
  settings: () => ({ openai: { apiKey: "sk-test" } }),
  whole: { ...openAiEnd, output: openAiItems },
  stream: encode([
    { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5" } },
    { type: "response.output_item.added", output_index: 0, item: { ...openAiItems[0], status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item: openAiItems[0] },
    { type: "response.output_item.added", output_index: 1, item: { ...openAiItems[1], content: [] } },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, content_index: 0, delta: ANSWER },
    { type: "response.output_item.done", output_index: 1, item: openAiItems[1] },
    { type: "response.completed", response: openAiEnd },
  ]),
  sentTool: { type: "web_search", filters: { allowed_domains: ["news.example"] } },
  call: {
    id: "ws_1",
    name: "web_search",
    status: "completed",
    output: { action: { type: "search", query: QUERY }, sources: [{ type: "url", url: URL_FOUND }] },
  },
  repeated: [{ type: "web_search_call", id: "ws_1", action: { type: "search", query: QUERY } }],
};

const anthropicResults = [
  {
    type: "web_search_result",
    url: URL_FOUND,
    title: "News",
    page_age: "May 2",
    encrypted_content: "c2VjcmV0".repeat(200),
  },
];
const anthropicCitation = {
  type: "web_search_result_location",
  url: URL_FOUND,
  title: "News",
  encrypted_index: "aW5kZXg=",
  cited_text: "out in May",
};
const anthropicUse = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search" };
const anthropicFound = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: anthropicResults };
const anthropicMessage = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-20250514" };
const anthropicUsage = { input_tokens: 1_000, output_tokens: 100, server_tool_use: { web_search_requests: 1 } };

export const anthropic: HostedWire = {
  name: "Anthropic",
  model: "claude-sonnet-4-20250514",
  origin: "https://api.anthropic.com",
  settings: () => ({ anthropic: { apiKey: "sk-ant-test" } }),
  whole: {
    ...anthropicMessage,
    content: [
      { ...anthropicUse, input: { query: QUERY } },
      anthropicFound,
      { type: "text", text: ANSWER, citations: [anthropicCitation] },
    ],
    stop_reason: "end_turn",
    usage: anthropicUsage,
  },
  stream: encode([
    {
      type: "message_start",
      message: {
        ...anthropicMessage,
        content: [],
        stop_reason: null,
        usage: { input_tokens: 1_000, output_tokens: 0 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { ...anthropicUse, input: {} } },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: JSON.stringify({ query: QUERY }) },
    },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: anthropicFound },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: ANSWER } },
    { type: "content_block_delta", index: 2, delta: { type: "citations_delta", citation: anthropicCitation } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: anthropicUsage },
    { type: "message_stop" },
  ]),
  sentTool: { type: "web_search_20250305", name: "web_search", allowed_domains: ["news.example"] },
  call: {
    id: "srvtoolu_1",
    name: "web_search",
    input: { query: QUERY },
    status: "completed",
    output: [{ url: URL_FOUND, title: "News" }],
    isTruncated: true,
  },
  repeated: [
    { ...anthropicUse, input: { query: QUERY } },
    anthropicFound,
    { type: "text", text: ANSWER, citations: [anthropicCitation] },
  ],
};

const geminiUsage = { promptTokenCount: 1_000, candidatesTokenCount: 100, totalTokenCount: 1_100 };
const grounding = {
  webSearchQueries: [QUERY, "yagate news"],
  groundingChunks: [{ web: { uri: URL_FOUND, title: "News" } }],
};
const geminiParts = [
  { toolCall: { id: "st_1", toolType: "GOOGLE_SEARCH_WEB", args: { queries: [QUERY] } }, thoughtSignature: "c2ln" },
  { toolResponse: { id: "st_1", toolType: "GOOGLE_SEARCH_WEB", response: { results: 3 } } },
  { text: ANSWER },
];
const geminiAnswer = {
  candidates: [{ content: { role: "model", parts: geminiParts }, finishReason: "STOP", groundingMetadata: grounding }],
  usageMetadata: geminiUsage,
};

const gemini: HostedWire = {
  name: "Gemini 3",
  model: "gemini-3.5-flash",
  origin: "https://generativelanguage.googleapis.com",
  settings: () => ({ google: { apiKey: "google-test" } }),
  whole: geminiAnswer,
  stream: encode([geminiAnswer]),
  sentTool: { googleSearch: {} },
  call: { id: "st_1", name: "web_search", input: { queries: [QUERY] }, status: "completed", output: { results: 3 } },
  repeated: [
    { toolCall: { id: "st_1", toolType: "GOOGLE_SEARCH_WEB" }, thoughtSignature: "c2ln" },
    { toolResponse: { id: "st_1", toolType: "GOOGLE_SEARCH_WEB", response: { results: 3 } } },
  ],
};

const olderGeminiAnswer = {
  candidates: [
    { content: { role: "model", parts: [{ text: ANSWER }] }, finishReason: "STOP", groundingMetadata: grounding },
  ],
  usageMetadata: geminiUsage,
};

/** It tells of its searches beside the answer only, and has to be alone with them. */
export const olderGemini: HostedWire = {
  ...gemini,
  name: "Gemini 2.5",
  model: "gemini-2.5-flash",
  whole: olderGeminiAnswer,
  stream: encode([olderGeminiAnswer]),
  call: {
    id: "grounding",
    name: "web_search",
    input: { queries: [QUERY, "yagate news"] },
    status: "completed",
    output: null,
  },
  repeated: [],
};

const xaiItems = [
  {
    type: "web_search_call",
    id: "ws_1",
    name: "web_search",
    arguments: JSON.stringify({ query: QUERY }),
    status: "completed",
    action: { type: "search", query: QUERY, sources: [{ type: "url", url: URL_FOUND }] },
  },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [
      { type: "output_text", text: ANSWER, annotations: [{ type: "url_citation", url: URL_FOUND, title: "News" }] },
    ],
  },
];
const xaiEnd = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "grok-4",
  status: "completed",
  usage: { input_tokens: 1_000, output_tokens: 100, cost_in_usd_ticks: 123_456_789 },
};

const xai: HostedWire = {
  name: "xAI",
  model: "xai/grok-4",
  origin: "https://api.x.ai",
  settings: () => ({ xai: { apiKey: "xai-test" } }),
  whole: { ...xaiEnd, output: xaiItems },
  stream: encode([
    { type: "response.created", response: { ...xaiEnd, output: [], status: "in_progress", usage: null } },
    { type: "response.output_item.added", output_index: 0, item: xaiItems[0] },
    { type: "response.output_item.done", output_index: 0, item: xaiItems[0] },
    { type: "response.output_item.added", output_index: 1, item: { ...xaiItems[1], content: [] } },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, content_index: 0, delta: ANSWER },
    { type: "response.output_item.done", output_index: 1, item: xaiItems[1] },
    { type: "response.completed", response: { ...xaiEnd, output: xaiItems } },
  ]),
  sentTool: { type: "web_search", allowed_domains: ["news.example"] },
  call: { id: "ws_1", name: "web_search", input: { query: QUERY }, status: "completed" },
  // It takes no search back; the answer holds what it found.
  repeated: [{ role: "assistant", content: ANSWER }],
};

const mistralExecution = { type: "tool.execution", id: "exec00001", name: "web_search" };
const mistralReference = { type: "tool_reference", tool: "web_search", title: "News", url: URL_FOUND };
const mistralUsage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const mistralArguments = JSON.stringify({ query: QUERY });

const mistral: HostedWire = {
  name: "Mistral",
  model: "mistral/mistral-large-4",
  origin: "https://api.mistral.ai",
  settings: () => ({ mistral: { apiKey: "mistral-test" } }),
  whole: {
    conversation_id: "conv_1",
    outputs: [
      { ...mistralExecution, arguments: mistralArguments, info: { found: 1 } },
      { type: "message.output", content: [{ type: "text", text: ANSWER }, mistralReference] },
    ],
    usage: mistralUsage,
  },
  stream: encode([
    { type: "conversation.response.started", conversation_id: "conv_1" },
    { ...mistralExecution, type: "tool.execution.started", arguments: mistralArguments },
    { ...mistralExecution, type: "tool.execution.done", info: { found: 1 } },
    { type: "message.output.delta", id: "out_1", content: { type: "text", text: ANSWER } },
    { type: "message.output.delta", id: "out_1", content: mistralReference },
    { type: "conversation.response.done", usage: mistralUsage },
  ]),
  sentTool: { type: "web_search" },
  call: {
    id: "exec00001",
    name: "web_search",
    input: { arguments: mistralArguments },
    status: "completed",
    output: { info: { found: 1 } },
  },
  repeated: [
    { type: "function.call", tool_call_id: "exec00001", name: "web_search", arguments: mistralArguments },
    { type: "function.result", tool_call_id: "exec00001" },
  ],
};

/** Those that search beside tools of the agent. */
export const HOSTED_WIRES: readonly HostedWire[] = [openAi, anthropic, gemini, xai, mistral];

/** What every one of them answers. */
export const HOSTED_ANSWER = { text: ANSWER, url: URL_FOUND, query: QUERY };
