import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import { jsonObjectSchema, type ModelResponse } from "@yagate/protocol";
import type { AssistantPart, ModelTurn } from "./port.ts";

/**
 * Masks the secrets in a model's reply as `***NAME***`. The arguments of calls are masked later, when the calls are
 * admitted.
 */
export function maskedTurn(answer: ModelTurn, mask: SecretMask): ModelTurn {
  const maskedText = (text: string | undefined) => (text === undefined ? undefined : mask.text(text));
  return {
    ...answer,
    text: mask.text(answer.text),
    ...(answer.response === undefined ? {} : { response: maskedResponse(answer.response, mask) }),
    parts: answer.parts.map((part) => maskedPart(part, mask)),
    hostedCalls: answer.hostedCalls.map((call) => ({
      ...call,
      input: mask.json(call.input),
      ...(call.output === undefined ? {} : { output: mask.json(call.output) }),
    })),
    sources: answer.sources.map((source) => ({
      ...source,
      ...(source.url === undefined ? {} : { url: maskedText(source.url) }),
      ...(source.title === undefined ? {} : { title: maskedText(source.title) }),
    })),
  };
}

function maskedResponse({ id, model }: ModelResponse, mask: SecretMask): ModelResponse {
  return {
    ...(id === undefined ? {} : { id: mask.text(id) }),
    ...(model === undefined ? {} : { model: mask.text(model) }),
  };
}

function maskedPart(whole: AssistantPart, mask: SecretMask): AssistantPart {
  const part = withMaskedMetadata(whole, mask);
  switch (part.type) {
    case "text":
      return { ...part, text: mask.text(part.text) };
    case "reasoning": {
      const text = mask.text(part.text);
      // Provider metadata, such as a signature, covers the original text and would no longer match.
      return text === part.text ? part : { type: "reasoning", text };
    }
    case "hosted_call":
      return { ...part, input: mask.json(part.input) };
    case "hosted_result":
      return { ...part, output: mask.json(part.output) };
    case "tool_call":
      return part;
  }
}

function withMaskedMetadata(part: AssistantPart, mask: SecretMask): AssistantPart {
  const { providerMetadata } = part;
  if (providerMetadata === undefined) return part;
  return { ...part, providerMetadata: jsonObjectSchema.parse(mask.json(providerMetadata)) };
}
