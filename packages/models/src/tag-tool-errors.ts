import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";

/**
 * Wraps a model to send failed tool results as `{"error": …}`. Most wire formats can't mark a result as failed. If the
 * AI SDK's provider does not add a mark either, a model would mistake the fields of an error for the result.
 */
export function withTaggedToolErrors(model: LanguageModelV4): LanguageModelV4 {
  const marked = (options: LanguageModelV4CallOptions) => ({ ...options, prompt: options.prompt.map(markErrors) });
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(marked(options)),
    doStream: (options) => model.doStream(marked(options)),
  };
}

function markErrors(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && part.output.type === "error-json"
      ? { ...part, output: { type: "json" as const, value: { error: part.output.value } } }
      : part,
  );
  return { ...message, content };
}
