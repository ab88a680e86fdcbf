import { encode, fragments, type WireContent, type WireFault, type WireFormat } from "./wire-format.ts";

/** What chat completions say differently from provider to provider. */
interface ChatDialect {
  readonly model: string;
  /** Its word for an answer that it refused. */
  readonly refused: string;
  /** The field of the model's thoughts. */
  readonly reasoning: "reasoning_content" | "reasoning";
  /** Whether calls come in pieces. */
  readonly piecewise: boolean;
  /** Whether the counts come in an event of their own or with the last choice. */
  readonly usageApart: boolean;
  readonly usage: object;
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

function endOf({ end, calls = [] }: WireContent, { refused }: ChatDialect): string {
  if (end !== "complete") return end === "length" ? "length" : refused;
  return calls.length > 0 ? "tool_calls" : "stop";
}

function toCalls({ calls = [] }: WireContent) {
  return calls.map((call, index) => ({
    index,
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
}

/** The deltas of a call whose arguments come in pieces; only the first has its id and name. */
function inPieces(call: ReturnType<typeof toCalls>[number]): readonly object[] {
  const [first = "", ...rest] = fragments(call.function.arguments);
  return [
    { ...call, function: { name: call.function.name, arguments: first } },
    ...rest.map((text) => ({ index: call.index, function: { arguments: text } })),
  ];
}

export function wholeChat(content: WireContent, dialect: ChatDialect): object {
  const calls = toCalls(content);
  return {
    id: "chat_1",
    object: "chat.completion",
    created: 1,
    model: dialect.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: content.text ?? "",
          ...(content.reasoning === undefined ? {} : { [dialect.reasoning]: content.reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: endOf(content, dialect),
      },
    ],
    usage: dialect.usage,
  };
}

export function streamedChat(content: WireContent, dialect: ChatDialect): readonly string[] {
  const head = { id: "chat_1", object: "chat.completion.chunk", created: 1, model: dialect.model };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = toCalls(content).flatMap((call) => (dialect.piecewise ? inPieces(call) : [call]));
  const end = chunk({ content: "" }, endOf(content, dialect));
  return [
    ...encode([
      chunk({ role: "assistant", content: "" }),
      ...fragments(content.reasoning ?? "").map((text) => chunk({ [dialect.reasoning]: text })),
      ...fragments(content.text ?? "").map((text) => chunk({ content: text })),
      ...calls.map((call) => chunk({ tool_calls: [call] })),
      ...(dialect.usageApart
        ? [end, { ...head, choices: [], usage: dialect.usage }]
        : [{ ...end, usage: dialect.usage }]),
    ]),
    "[DONE]",
  ];
}

interface ChatWire extends ChatDialect, Pick<WireFormat, "name" | "keyVariable" | "settings" | "lacks"> {
  readonly agentModel: string;
}

function toFault({ message, code = "server_error" }: WireFault): object {
  return { error: { message, type: code, param: null, code }, request_id: "r_1" };
}

function toFormat({ name, agentModel, keyVariable, settings, lacks = [], ...dialect }: ChatWire): WireFormat {
  return {
    name,
    keyVariable,
    refusal: toFault,
    streamedFault: toFault,
    model: agentModel,
    settings,
    whole: (content) => wholeChat(content, dialect),
    stream: (content) => streamedChat(content, dialect),
    endingEvents: dialect.usageApart ? 3 : 2,
    lacks,
  };
}

const common = {
  refused: "content_filter",
  reasoning: "reasoning_content",
  piecewise: true,
  usageApart: true,
  usage: USAGE,
} as const;

export const compatibleOpenAi = toFormat({
  ...common,
  name: "OpenAI's chat completions",
  keyVariable: "OPENAI_API_KEY",
  model: "qwen3:8b",
  agentModel: "openai/qwen3:8b",
  settings: (url) => ({ openai: { apiKey: "sk-test-0123456789", baseUrl: `${url}/v1` } }),
});

/** Calls come whole, thoughts in the field `reasoning`. */
export const ollama = toFormat({
  ...common,
  name: "Ollama",
  keyVariable: "OLLAMA_API_KEY",
  model: "gpt-oss:20b",
  agentModel: "ollama/gpt-oss:20b",
  reasoning: "reasoning",
  piecewise: false,
  settings: (url) => ({ ollama: { baseUrl: url } }),
});

export const zai = toFormat({
  ...common,
  name: "Z.AI",
  keyVariable: "ZAI_API_KEY",
  model: "glm-4.6",
  agentModel: "glm-4.6",
  refused: "sensitive",
  usageApart: false,
  settings: (url) => ({ zai: { apiKey: "zai-test", baseUrl: url } }),
});

export const deepseek = toFormat({
  ...common,
  name: "DeepSeek",
  keyVariable: "DEEPSEEK_API_KEY",
  model: "deepseek-reasoner",
  agentModel: "deepseek-reasoner",
  usageApart: false,
  usage: { ...USAGE, prompt_cache_hit_tokens: 3, prompt_cache_miss_tokens: 8 },
  lacks: ["an order of text and calls"],
  settings: (url) => ({ deepseek: { apiKey: "deepseek-test", baseUrl: url } }),
});

const { whole: _whole, ...streamedAlibaba } = toFormat({
  ...common,
  name: "Alibaba Cloud",
  keyVariable: "ALIBABA_API_KEY",
  model: "qwen3-max",
  agentModel: "qwen3-max",
  settings: (url) => ({ alibaba: { apiKey: "alibaba-test", baseUrl: url } }),
});
export const alibaba: WireFormat = streamedAlibaba;
