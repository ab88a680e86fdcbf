import { APICallError, InvalidResponseDataError, TypeValidationError } from "@ai-sdk/provider";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { readChatUsage } from "./chat/repaired-usage.ts";
import { toRecord } from "./hosted/record.ts";
import type { ProviderReply } from "./turn-conversion.ts";
import { providerUsage } from "./turn-usage.ts";
import { causes } from "./unreadable-reason.ts";

/** Returns the usage in an otherwise unusable response; undefined if there is none. */
export function countedFailure(error: unknown): ProviderReply | undefined {
  for (const cause of causes(error)) {
    const usage = usageIn(bodyOf(cause));
    if (usage !== undefined) return { content: [], finishReason: { unified: "error", raw: undefined }, usage };
  }
  return undefined;
}

function bodyOf(error: unknown): unknown {
  if (InvalidResponseDataError.isInstance(error)) return error.data;
  if (TypeValidationError.isInstance(error)) return error.value;
  return APICallError.isInstance(error) && error.statusCode === 200
    ? parseJsonOrUndefined(error.responseBody)
    : undefined;
}

function usageIn(body: unknown): ProviderReply["usage"] | undefined {
  const answer = toRecord(body);
  if (answer === undefined) return undefined;
  const { promptTokenCount, candidatesTokenCount } = toRecord(answer["usageMetadata"]) ?? {};
  const { prompt_tokens = promptTokenCount, completion_tokens = candidatesTokenCount } = readChatUsage(answer) ?? {};
  const [inputTokens, outputTokens] = [toCount(prompt_tokens), toCount(completion_tokens)];
  return inputTokens === undefined && outputTokens === undefined ? undefined : providerUsage(inputTokens, outputTokens);
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
