import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import { jsonObjectSchema, type ModelResponse } from "@yagate/protocol";
import type { AssistantPart, ModelToolCall, ModelTurn, ModelTurnRequest } from "./port.ts";

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

/**
 * Runs one turn and removes the provider's API key from its output, because the provider or a proxy may return the key.
 * The key is removed from the streamed text, the reply and the arguments of calls. Calls that contained the key are
 * marked.
 */
export function underKeyMask(
  mask: SecretMask | undefined,
  request: ModelTurnRequest,
  take: (request: ModelTurnRequest) => Promise<ModelTurn>,
): Promise<ModelTurn> {
  return mask === undefined ? take(request) : runMasked(mask, request, take);
}

async function runMasked(
  mask: SecretMask,
  request: ModelTurnRequest,
  take: (request: ModelTurnRequest) => Promise<ModelTurn>,
): Promise<ModelTurn> {
  const { onTextDelta } = request;
  const stream = onTextDelta === undefined ? undefined : mask.stream(onTextDelta);
  const turn = await take(stream === undefined ? request : { ...request, onTextDelta: stream.write });
  stream?.end();
  const toolCalls = turn.toolCalls.map((call) => maskedCall(call, mask));
  const byId = new Map(toolCalls.map((call) => [call.toolCallId, call]));
  const answer = maskedTurn(turn, mask);
  return { ...answer, toolCalls, parts: answer.parts.map((part) => withMaskedCall(part, byId)) };
}

function maskedCall(call: ModelToolCall, mask: SecretMask): ModelToolCall {
  const { value: parameters, names } = mask.search(call.parameters);
  const masked = { ...call, name: mask.text(call.name), providerCallId: mask.text(call.providerCallId), parameters };
  return names.length === 0 ? masked : { ...masked, leakedSecrets: names };
}

function withMaskedCall(part: AssistantPart, calls: ReadonlyMap<string, ModelToolCall>): AssistantPart {
  const call = part.type === "tool_call" ? calls.get(part.toolCallId) : undefined;
  if (part.type !== "tool_call" || call === undefined) return part;
  const { name, providerCallId, parameters } = call;
  return { ...part, name, providerCallId, parameters };
}
