import * as z from "zod";

const tokens = z.int().min(0);

/** Tokens of model turns. The details are parts of the totals, and absent if no provider reported them. */
export const tokenUsageSchema = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  /** Part of the input: read from the provider's cache. */
  cachedInputTokens: tokens.optional(),
  /** Part of the input: written to the provider's cache. */
  cacheWriteTokens: tokens.optional(),
  /** Part of the output: reasoning. */
  reasoningTokens: tokens.optional(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** What an execution has used so far. */
export const usageSchema = tokenUsageSchema.extend({
  toolCalls: z.int().min(0),
  /** Calls of provider-run tools, which are not part of `toolCalls`. Absent without any. */
  hostedToolCalls: z.int().min(0).optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** The cost: dollars for tokens and priced tools, credits for calls that carry a credential. */
export const costSchema = z.looseObject({
  usd: z.number().min(0),
  credits: z.number().min(0),
  /** Something without a known price was used, so `usd` is a lower bound. Absent if everything has a price. */
  isPartial: z.boolean().optional(),
});
export type Cost = z.infer<typeof costSchema>;
