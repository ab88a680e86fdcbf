import type { TokenUsage } from "@yagate/protocol";
import type { LanguageModelUsage } from "ai";

/** The part of the AI SDK's usage that the gateway reads. */
export type SdkUsage = Pick<LanguageModelUsage, "inputTokens" | "outputTokens"> &
  Partial<Pick<LanguageModelUsage, "inputTokenDetails" | "outputTokenDetails" | "raw">>;

/**
 * Returns the tokens that a provider counted; `undefined` if it reported none. Invalid counts are dropped: a provider
 * may send anything, and a negative number would make an execution cheaper.
 */
export function toTokenUsage(usage: SdkUsage): TokenUsage | undefined {
  const inputTokens = toCount(usage.inputTokens);
  const outputTokens = toCount(usage.outputTokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  const cached = Math.min(toCount(usage.inputTokenDetails?.cacheReadTokens) ?? 0, input);
  const written = Math.min(toCount(usage.inputTokenDetails?.cacheWriteTokens) ?? 0, input - cached);
  const reasoning = Math.min(toCount(usage.outputTokenDetails?.reasoningTokens) ?? 0, output);
  return { inputTokens: input, outputTokens: output, ...details({ cached, written, reasoning }) };
}

// Larger values can't be token counts, and their sums would be inexact.
const MAX_COUNT = 1e12;

function toCount(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= MAX_COUNT ? Math.trunc(value) : undefined;
}

type Count = "inputTokens" | "outputTokens" | "cachedInputTokens" | "cacheWriteTokens" | "reasoningTokens";

/** Adds the usage of two requests in one turn. */
export function addTokenUsage(first: TokenUsage, second: TokenUsage): TokenUsage {
  const sum = (name: Count) => (first[name] ?? 0) + (second[name] ?? 0);
  return {
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    ...details({
      cached: sum("cachedInputTokens"),
      written: sum("cacheWriteTokens"),
      reasoning: sum("reasoningTokens"),
    }),
  };
}

function details({
  cached,
  written,
  reasoning,
}: {
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
}): Partial<TokenUsage> {
  return {
    ...(cached === 0 ? {} : { cachedInputTokens: cached }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
  };
}
