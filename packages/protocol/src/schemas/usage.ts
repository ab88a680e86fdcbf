import * as z from "zod";

const tokens = z.int().min(0);

/** Tokens of model turns. The details are parts of the totals, and are absent where no provider told them. */
export const tokenUsageSchema = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  /** Part of the input: read from the provider's cache. */
  cachedInputTokens: tokens.optional(),
  /** Part of the input: written to the provider's cache. */
  cacheWriteTokens: tokens.optional(),
  /** Part of the output: what the model thought before it answered. */
  reasoningTokens: tokens.optional(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** What an execution used so far. */
export const usageSchema = tokenUsageSchema.extend({
  toolCalls: z.int().min(0),
  /** Calls of tools that the model's provider ran itself; they are none of `toolCalls`. Absent where there were none. */
  hostedToolCalls: z.int().min(0).optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** What it cost: dollars for tokens and priced tools, credits for calls that carry a credential. */
export const costSchema = z.looseObject({
  usd: z.number().min(0),
  credits: z.number().min(0),
  /** Something was used whose price is not known: `usd` is the least that it cost. Absent where all of it was priced. */
  isPartial: z.boolean().optional(),
});
export type Cost = z.infer<typeof costSchema>;
