/** The cost of a search. */
export interface Spending {
  readonly usd: number;
  /** Part of the cost is unknown: `usd` is a lower bound. */
  readonly isPartial: boolean;
}

/** Adds up what providers charge for one search, so the cost is known however the search ends. */
export interface SearchLedger {
  /**
   * Records the start of requests to a provider.
   *
   * @returns a function to call at the end, with the number of responses and whether there may have been more requests.
   */
  begin(provider: string): (over: { readonly requests: number; readonly isUnknown: boolean }) => number | undefined;
  /** The cost so far; requests that are still running may add to it. */
  spending(): Spending;
}

/** @param usdPerRequest - the price of one request to a provider; undefined if unknown. */
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
