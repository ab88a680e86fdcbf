/** The names of all providers, in the default order. */
export const SEARCH_PROVIDER_NAMES = ["local", "searxng", "brave", "tavily", "exa", "serper", "google"] as const;

/** The provider that searches the operator's own documents. */
export const LOCAL_PROVIDER: SearchProviderName = "local";

/** The name of a provider. */
export type SearchProviderName = (typeof SEARCH_PROVIDER_NAMES)[number];
