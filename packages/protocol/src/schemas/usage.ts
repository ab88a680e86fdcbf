import * as z from "zod";

const tokens = z.int().min(0);

/** Tokens used by model turns. The optional fields are parts of the totals, and absent if no provider reported them. */
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
  /** Calls to provider-run tools, which `toolCalls` does not include. Absent if there were none. */
  hostedToolCalls: z.int().min(0).optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** A cost: US dollars for tokens and for tools with a price, and credits for calls that use a credential. */
export const costSchema = z.looseObject({
  usd: z.number().min(0),
  credits: z.number().min(0),
  /**
   * Whether something without a known price was used, so that `usd` is a lower bound. Absent if all prices are known.
   */
  isPartial: z.boolean().optional(),
});
export type Cost = z.infer<typeof costSchema>;
