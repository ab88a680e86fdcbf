import { createAlibaba } from "@ai-sdk/alibaba";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createDeepSeek } from "@ai-sdk/deepseek";
import { createGoogle } from "@ai-sdk/google";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { createXai } from "@ai-sdk/xai";
import { withConversations } from "./hosted/mistral-apis.ts";
import { isKnownProvider } from "./provider-names.ts";
import { isOpenAiOwn, refusesReasoning } from "./provider-urls.ts";
import { withTaggedToolErrors } from "./tag-tool-errors.ts";
import { withThoughtsApart } from "./thoughts/thoughts-apart.ts";

/** The complete settings of one provider. */
export interface ProviderAccess {
  readonly name: string;
  /** Undefined if the server needs no key. */
  readonly apiKey: string | undefined;
  /** Includes the version path; has no trailing slash. */
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch;
  readonly random: () => number;
}

type CreateModel = (model: string) => LanguageModelV4;

/** A provider of the AI SDK. */
export interface SdkProvider {
  readonly createModel: CreateModel;
  readonly providerOptions: SharedV4ProviderOptions;
  /** Whether some of its models support only streaming. */
  readonly isStreamedOnly?: boolean;
}

/** Creates the AI SDK's provider for a name. Unknown names use OpenAI's chat completions. */
export function createSdkProvider({ name, apiKey = "", baseURL, fetch, random }: ProviderAccess): SdkProvider {
  const settings = { apiKey, baseURL, fetch };
  switch (isKnownProvider(name) ? name : undefined) {
    case "openai":
      if (!isOpenAiOwn(baseURL)) return createCompatible(name, settings);
      // OpenAI then stores nothing: it returns the reasoning encrypted, and the gateway sends it back in the next
      // request.
      return { createModel: createOpenAI(settings).responses, providerOptions: { openai: { store: false } } };
    case "anthropic":
      return { createModel: createAnthropic(settings), providerOptions: {} };
    case "google":
      // Gemini's calls have no ids.
      return {
        createModel: createGoogle({ ...settings, generateId: () => `call_${randomText(20, random)}` }),
        providerOptions: {},
      };
    case "mistral": {
      const mistral = createMistral({ ...settings, generateId: () => randomCallId(random) });
      return {
        createModel: marked((model) => withConversations(mistral.chat(model), mistral.conversation(model))),
        providerOptions: {},
      };
    }
    case "xai":
      return { createModel: marked(createXai(settings)), providerOptions: { xai: { store: false } } };
    case "deepseek":
      return { createModel: readable(createDeepSeek(settings)), providerOptions: {} };
    case "alibaba":
      // Reasoning models reject non-streaming requests.
      return { createModel: readable(createAlibaba(settings)), providerOptions: {}, isStreamedOnly: true };
    case "zai":
    case undefined:
      return createCompatible(name, settings);
  }
}

function createCompatible(
  name: string,
  settings: { readonly apiKey: string; readonly baseURL: string; readonly fetch: typeof globalThis.fetch },
): SdkProvider {
  const compatible = createOpenAICompatible({
    ...settings,
    name,
    includeUsage: true,
    ...(refusesReasoning(settings.baseURL) ? { transformRequestBody: withoutReasoning } : {}),
  });
  return { createModel: readable(compatible.chatModel), providerOptions: {} };
}

/** Wraps models of servers that may leave the separation of reasoning and text to the client. */
function readable(createModel: CreateModel): CreateModel {
  return marked((model) => withThoughtsApart(createModel(model)));
}

function marked(createModel: CreateModel): CreateModel {
  return (model) => withTaggedToolErrors(createModel(model));
}

function withoutReasoning(body: Record<string, unknown>): Record<string, unknown> {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map(({ reasoning_content: _reasoning, ...message }) => message) };
}

/** Creates a call id that every provider accepts. Mistral requires nine letters and digits. */
export function randomCallId(random: () => number): string {
  return randomText(9, random);
}

function randomText(length: number, random: () => number): string {
  return Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join("");
}
