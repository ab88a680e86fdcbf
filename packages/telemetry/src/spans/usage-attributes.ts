import type { Attributes } from "@opentelemetry/api";
import type { Cost, TokenUsage } from "@yagate/protocol";

/** Returns token counts under their names in the GenAI conventions. */
export function usageAttributes(usage: TokenUsage): Attributes {
  return {
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cachedInputTokens,
    "gen_ai.usage.cache_write.input_tokens": usage.cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens,
  };
}

/** Returns the attributes of a cost, for which the conventions have no names. */
export function costAttributes({ usd, credits, isPartial }: Cost): Attributes {
  return { "yagate.cost.usd": usd, "yagate.cost.credits": credits, "yagate.cost.is_partial": isPartial };
}
