/** What a search has cost. */
export interface Spending {
  readonly usd: number;
  /** Some of it is not known: `usd` is the least. */
  readonly isPartial: boolean;
}

/** Adds up what providers charge for one search, so that it is known however the search ends. */
export interface SearchLedger {
  /**
   * A provider is being asked.
   *
   * @returns to be called when that is over, with the requests that were answered, and whether there may have been others.
   */
  begin(provider: string): (over: { readonly requests: number; readonly isUnknown: boolean }) => number | undefined;
  /** What it comes to by now; who is still being asked may charge for it. */
  spending(): Spending;
}

/** @param usdPerRequest - what one request to a provider costs; undefined where nobody has said. */
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
