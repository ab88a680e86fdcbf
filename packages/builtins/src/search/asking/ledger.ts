/** The cost of a search. */
export interface Spending {
  readonly usd: number;
  /** Whether part of the cost is unknown: `usd` is then a lower bound. */
  readonly isPartial: boolean;
}

/** Adds up what providers charge for one search, so that the cost is known even if the search fails. */
export interface SearchLedger {
  /**
   * Records the start of requests to a provider.
   *
   * @returns a function to call when they have ended, with the number of responses (`requests`) and whether more
   *   requests may have been billed (`isUnknown`). The function returns the cost in USD, or `undefined` if the cost is
   *   unknown.
   */
  begin(provider: string): (over: { readonly requests: number; readonly isUnknown: boolean }) => number | undefined;
  /** Returns the cost so far, without requests that are still running. */
  spending(): Spending;
}

/**
 * Creates a ledger for one search.
 *
 * @param usdPerRequest - returns the price of one request to a provider; undefined if unknown.
 */
export function createLedger(usdPerRequest: (provider: string) => number | undefined): SearchLedger {
  let usd = 0;
  let isPartial = false;
  let open = 0;
  return {
    begin(provider) {
      const price = usdPerRequest(provider);
      const isFree = price === 0;
      if (!isFree) open += 1;
      return ({ requests, isUnknown }) => {
        if (isFree) return 0;
        open -= 1;
        const isKnown = !isUnknown && (price !== undefined || requests === 0);
        if (!isKnown) isPartial = true;
        usd += (price ?? 0) * requests;
        return isKnown ? (price ?? 0) * requests : undefined;
      };
    },
    spending: () => ({ usd, isPartial: isPartial || open > 0 }),
  };
}
