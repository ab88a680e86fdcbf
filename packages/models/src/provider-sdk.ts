import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { withConversations } from "./hosted/mistral-apis.ts";
import { isKnownProvider } from "./provider-names.ts";
import { isOpenAiOwn, refusesReasoning } from "./provider-urls.ts";
import { withTaggedToolErrors } from "./tag-tool-errors.ts";
import { withThoughtsApart } from "./thoughts/thoughts-apart.ts";

/** The settings of one provider that hold for all of its requests. */
export interface ProviderAccess {
  readonly name: string;
  /** Undefined if the server needs no key. */
  readonly apiKey: string | undefined;
  /** Includes the version path; has no trailing slash. */
  readonly baseURL: string;
  readonly random: () => number;
}

type Fetch = typeof globalThis.fetch;
type CreateModel = (model: string) => LanguageModelV4;

/** A provider of the AI SDK. */
export interface SdkProvider {
  readonly createModel: CreateModel;
  readonly providerOptions: SharedV4ProviderOptions;
  /** Whether some of its models support only streaming. */
  readonly isStreamedOnly?: boolean;
}

/**
 * Loads the AI SDK's provider for a name; unknown names use OpenAI's chat completions. Only the packages of providers
 * that are used are loaded: all of them take 60 ms at the start of a process.
 *
 * @returns the function that creates the provider with the `fetch` that sends its requests.
 */
export async function loadSdkProvider(access: ProviderAccess): Promise<(fetch: Fetch) => SdkProvider> {
  const { name, apiKey = "", baseURL, random } = access;
  const settingsWith = (fetch: Fetch) => ({ apiKey, baseURL, fetch });
  switch (isKnownProvider(name) ? name : undefined) {
    case "openai": {
      if (!isOpenAiOwn(baseURL)) return loadCompatible(access);
      const { createOpenAI } = await import("@ai-sdk/openai");
      // OpenAI then stores nothing: it returns the reasoning encrypted, and the gateway sends it back in the next
      // request.
      const providerOptions = { openai: { store: false } };
      return (fetch) => ({ createModel: createOpenAI(settingsWith(fetch)).responses, providerOptions });
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return (fetch) => ({ createModel: createAnthropic(settingsWith(fetch)), providerOptions: {} });
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      // Gemini's calls have no ids.
      const generateId = () => `call_${randomText(20, random)}`;
      return (fetch) => ({ createModel: createGoogle({ ...settingsWith(fetch), generateId }), providerOptions: {} });
    }
    case "mistral": {
      const { createMistral } = await import("@ai-sdk/mistral");
      return (fetch) => {
        const mistral = createMistral({ ...settingsWith(fetch), generateId: () => randomCallId(random) });
        return {
          createModel: marked((model) => withConversations(mistral.chat(model), mistral.conversation(model))),
          providerOptions: {},
        };
      };
    }
    case "xai": {
      const { createXai } = await import("@ai-sdk/xai");
      const providerOptions = { xai: { store: false } };
      return (fetch) => ({ createModel: marked(createXai(settingsWith(fetch))), providerOptions });
    }
    case "deepseek": {
      const { createDeepSeek } = await import("@ai-sdk/deepseek");
      return (fetch) => ({ createModel: readable(createDeepSeek(settingsWith(fetch))), providerOptions: {} });
    }
    case "alibaba": {
      const { createAlibaba } = await import("@ai-sdk/alibaba");
      // Reasoning models reject non-streaming requests.
      return (fetch) => ({
        createModel: readable(createAlibaba(settingsWith(fetch))),
        providerOptions: {},
        isStreamedOnly: true,
      });
    }
    case "zai":
    case undefined:
      return loadCompatible(access);
  }
}

async function loadCompatible({ name, apiKey = "", baseURL }: ProviderAccess): Promise<(fetch: Fetch) => SdkProvider> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const settings = {
    ...{ name, apiKey, baseURL, includeUsage: true },
    ...(refusesReasoning(baseURL) ? { transformRequestBody: withoutReasoning } : {}),
  };
  return (fetch) => ({
    createModel: readable(createOpenAICompatible({ ...settings, fetch }).chatModel),
    providerOptions: {},
  });
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
