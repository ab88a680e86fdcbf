import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { defined } from "@yagate/lib/objects/defined";

/** Converts a complete reply to the stream that would have delivered it. */
export function toStreamedReply(reply: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> {
  const { content, finishReason, usage, providerMetadata, warnings, response } = reply;
  return ReadableStream.from<LanguageModelV4StreamPart>([
    { type: "stream-start", warnings },
    { type: "response-metadata", ...response },
    ...content.flatMap((part, index): LanguageModelV4StreamPart[] => {
      if (part.type !== "text" && part.type !== "reasoning") return [part];
      const { type, text, providerMetadata: metadata } = part;
      const id = String(index);
      return [
        { type: `${type}-start`, id, ...defined({ providerMetadata: metadata }) },
        { type: `${type}-delta`, id, delta: text },
        { type: `${type}-end`, id },
      ];
    }),
    { type: "finish", finishReason, usage, ...defined({ providerMetadata }) },
  ]);
}
