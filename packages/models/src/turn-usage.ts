import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsage } from "@yagate/protocol";

/**
 * Returns the tokens that a provider counted; `undefined` if it reported none. Invalid counts are dropped, because a
 * negative count would make an execution cheaper.
 */
export function toTokenUsage(usage: LanguageModelV4Usage): TokenUsage | undefined {
  const inputTokens = toCount(usage.inputTokens.total);
  const outputTokens = toCount(usage.outputTokens.total);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  const cached = Math.min(toCount(usage.inputTokens.cacheRead) ?? 0, input);
  const written = Math.min(toCount(usage.inputTokens.cacheWrite) ?? 0, input - cached);
  const reasoning = Math.min(toCount(usage.outputTokens.reasoning) ?? 0, output);
  return { inputTokens: input, outputTokens: output, ...details({ cached, written, reasoning }) };
}

/** Returns a usage in the provider's form that states only the totals; undefined for a total that is unknown. */
export function providerUsage(input: number | undefined, output: number | undefined): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  };
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
