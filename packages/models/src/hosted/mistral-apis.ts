import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";

/**
 * One model over two APIs of Mistral: it searches the web in its Conversations API only, and all else goes to chat
 * completions, as everywhere.
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
