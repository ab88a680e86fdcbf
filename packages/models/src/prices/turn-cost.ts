import type { TokenUsage } from "@yagate/protocol";
import type { TurnCost } from "../port.ts";
import type { ModelPrice, Rates } from "./price-table.ts";

/** What of an answer is paid for. */
export interface BilledTurn {
  /** `undefined`: the provider did not say how much it was. */
  readonly usage: TokenUsage | undefined;
  /** Searches that the provider ran itself. */
  readonly webSearches: number;
  /** Calls of other tools that the provider ran itself, for which no price is known. */
  readonly otherHostedCalls: number;
}

/**
 * Counts in picodollars (10⁻¹² USD), in which a price per million tokens with six decimals is a whole number for each
 * token, so that nothing drifts.
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

/** Costs are sums of whole numbers of these, so that they do not drift. */
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
