import * as z from "zod";

const tokens = z.int().min(0);

/** Tokens of model turns. The optional fields are parts of the totals; each is absent if no provider reported it. */
export const tokenUsageSchema = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  /** Input tokens that were read from the provider's cache. */
  cachedInputTokens: tokens.optional(),
  /** Input tokens that were written to the provider's cache. */
  cacheWriteTokens: tokens.optional(),
  /** Output tokens that the model used for reasoning. */
  reasoningTokens: tokens.optional(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** What an execution has used so far. */
export const usageSchema = tokenUsageSchema.extend({
  toolCalls: z.int().min(0),
  /** Calls to provider-run tools, which are not part of `toolCalls`. Absent if there were none. */
  hostedToolCalls: z.int().min(0).optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** A cost: US dollars for tokens and priced tools, credits for calls that carry a credential. */
export const costSchema = z.looseObject({
  usd: z.number().min(0),
  credits: z.number().min(0),
  /**
   * Whether something without a known price was used, which makes `usd` a lower bound. Absent if everything has a known
   * price.
   */
  isPartial: z.boolean().optional(),
});
export type Cost = z.infer<typeof costSchema>;
