import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";

/**
 * Creates one model from two of Mistral's APIs. Web search exists only in the Conversations API; all other requests use
 * chat completions.
 */
export function withConversations(chat: LanguageModelV4, conversation: LanguageModelV4): LanguageModelV4 {
  const apiFor = ({ tools }: LanguageModelV4CallOptions) =>
    tools?.some(({ type }) => type === "provider") === true ? conversation : chat;
  return {
    specificationVersion: "v4",
    provider: chat.provider,
    modelId: chat.modelId,
    supportedUrls: chat.supportedUrls,
    doGenerate: (options) => apiFor(options).doGenerate(options),
    doStream: (options) => apiFor(options).doStream(options),
  };
}
