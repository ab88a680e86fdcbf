import { toRecord } from "../hosted/record.ts";
import type { TurnCost } from "../port.ts";

const TICKS_PER_USD = 1e10;

/**
 * Returns the cost that the provider itself reports for a response; `undefined` if it reports none. Only xAI reports a
 * cost, which includes all discounts and searches.
 *
 * @see https://docs.x.ai/developers/cost-tracking
 */
export function reportedCost(provider: string, rawUsage: unknown): TurnCost | undefined {
  const ticks = provider === "xai" ? toRecord(rawUsage)?.["cost_in_usd_ticks"] : undefined;
  if (typeof ticks !== "number" || !Number.isSafeInteger(ticks) || ticks < 0) return undefined;
  return { usd: ticks / TICKS_PER_USD, isPartial: false };
}
