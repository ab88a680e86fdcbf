import { z } from "zod";

/** What an execution used so far. */
export const usageSchema = z.looseObject({
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  toolCalls: z.int().min(0),
});
export type Usage = z.infer<typeof usageSchema>;

/** What it cost: dollars for tokens and priced tools, credits for calls that carry a credential. */
export const costSchema = z.looseObject({ usd: z.number().min(0), credits: z.number().min(0) });
export type Cost = z.infer<typeof costSchema>;
