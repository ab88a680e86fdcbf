/** Everybody who can be asked, in the order in which they are when nobody says another. */
export const SEARCH_PROVIDER_NAMES = ["local", "searxng", "brave", "tavily", "exa", "serper", "google"] as const;

/** The one that searches documents of the operator's own. */
export const LOCAL_PROVIDER: SearchProviderName = "local";

/** One of them. */
export type SearchProviderName = (typeof SEARCH_PROVIDER_NAMES)[number];
