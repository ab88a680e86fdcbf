import type { SecretMask } from "@yagate/lib/redaction/secret-mask";
import { maskedTurn } from "./masked-turn.ts";
import type { AssistantPart, ModelToolCall, ModelTurn, ModelTurnRequest } from "./port.ts";

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
