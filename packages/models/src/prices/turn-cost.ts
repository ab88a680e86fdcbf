import type { TokenUsage } from "@yagate/protocol";
import type { TurnCost } from "../port.ts";
import type { ModelPrice, Rates } from "./price-table.ts";

/** The billable parts of a response. */
export interface BilledTurn {
  /** The token counts; `undefined` if the provider did not report them. */
  readonly usage: TokenUsage | undefined;
  /** Number of provider-run searches. */
  readonly webSearches: number;
  /** Number of other provider-run calls, whose price is unknown. */
  readonly otherHostedCalls: number;
}

/**
 * Computes the cost of a response in picodollars (10⁻¹² USD). In this unit, a price per million tokens with six
 * decimals is a whole number per token, so sums are exact.
 */
export function turnCost(
  { usage, webSearches, otherHostedCalls }: BilledTurn,
  price: ModelPrice | undefined,
): TurnCost {
  if (price === undefined) return { usd: 0, isPartial: true };
  const isFree = price.input === 0 && price.output === 0;
  const { webSearchPer1000 } = price;
  const searches = webSearchPer1000 === undefined ? 0n : BigInt(webSearches) * toPico(webSearchPer1000, 1_000);
  const tokens = usage === undefined ? 0n : tokenCost(usage, ratesFor(price, usage.inputTokens));
  return {
    usd: Number(searches + tokens) / PICO_PER_USD,
    isPartial:
      (usage === undefined && !isFree) ||
      (webSearches > 0 && webSearchPer1000 === undefined) ||
      otherHostedCalls > 0 ||
      (price.upTo !== undefined && (usage?.inputTokens ?? 0) > price.upTo),
  };
}

/** Picodollars per USD. Costs are summed as whole numbers of picodollars, so sums are exact. */
export const PICO_PER_USD = 1e12;

function toPico(usd: number, perCount: number): bigint {
  return BigInt(Math.round((usd / perCount) * PICO_PER_USD));
}

function ratesFor(price: ModelPrice, inputTokens: number): Rates {
  const passed = price.longPrompts?.filter(({ above }) => inputTokens > above) ?? [];
  return passed.toSorted((left, right) => right.above - left.above)[0] ?? price;
}

function tokenCost(usage: TokenUsage, { input, output, cachedInput = input, cacheWrite = input }: Rates): bigint {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const counts = [
    [fresh, input],
    [cachedInputTokens, cachedInput],
    [cacheWriteTokens, cacheWrite],
    [outputTokens, output],
  ] as const;
  return counts.reduce((sum, [tokens, rate]) => sum + BigInt(tokens) * toPico(rate, 1_000_000), 0n);
}
