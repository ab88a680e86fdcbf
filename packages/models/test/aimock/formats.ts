import type { ProvidersSettings } from "../../src/provider-settings.ts";

/** One of the ten formats that the gateway speaks, at a server of aimock. */
export interface Format {
  readonly name: string;
  readonly model: string;
  readonly settings: (url: string) => ProvidersSettings;
  /** Input and output tokens, in the format's own words. */
  readonly usage: (input: number, output: number) => Readonly<Record<string, number>>;
  /** aimock counts in a stream of chat completions only for who asks; Mistral counts in all, so it is not asked. */
  readonly isUncountedInStreams?: boolean;
}

const chatUsage = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});
const responsesUsage = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
});

/** Requests for OpenAI itself are taken to aimock on their way. */
export const OPENAI_ORIGIN = "https://api.openai.com";

export const FORMATS: readonly Format[] = [
  {
    name: "OpenAI's Responses API",
    model: "openai/gpt-5",
    settings: () => ({ openai: { apiKey: "sk-test-0123456789" } }),
    usage: responsesUsage,
  },
  {
    name: "Anthropic",
    model: "claude-sonnet-4-20250514",
    settings: (url) => ({ anthropic: { apiKey: "sk-ant-test", baseUrl: url } }),
    usage: (input, output) => ({ input_tokens: input, output_tokens: output }),
  },
  {
    name: "Gemini",
    model: "gemini-2.5-flash",
    settings: (url) => ({ google: { apiKey: "google-test", baseUrl: url } }),
    usage: (input, output) => ({ promptTokenCount: input, candidatesTokenCount: output }),
  },
  {
    name: "Mistral",
    model: "magistral-medium-2509",
    settings: (url) => ({ mistral: { apiKey: "mistral-test", baseUrl: url } }),
    usage: chatUsage,
    isUncountedInStreams: true,
  },
  {
    name: "xAI",
    model: "grok-4",
    settings: (url) => ({ xai: { apiKey: "xai-test", baseUrl: url } }),
    usage: responsesUsage,
  },
  {
    name: "DeepSeek",
    model: "deepseek-reasoner",
    settings: (url) => ({ deepseek: { apiKey: "deepseek-test", baseUrl: `${url}/v1` } }),
    usage: chatUsage,
  },
  {
    name: "Alibaba Cloud",
    model: "qwen3-max",
    settings: (url) => ({ alibaba: { apiKey: "alibaba-test", baseUrl: `${url}/v1` } }),
    usage: chatUsage,
  },
  {
    name: "Z.AI",
    model: "glm-4.6",
    settings: (url) => ({ zai: { apiKey: "zai-test", baseUrl: `${url}/v1` } }),
    usage: chatUsage,
  },
  {
    name: "OpenAI's chat completions",
    model: "openai/qwen3:8b",
    settings: (url) => ({ openai: { apiKey: "sk-test-0123456789", baseUrl: `${url}/v1` } }),
    usage: chatUsage,
  },
  {
    name: "Ollama",
    model: "ollama/qwen3:8b",
    settings: (url) => ({ ollama: { baseUrl: url } }),
    usage: chatUsage,
  },
];
