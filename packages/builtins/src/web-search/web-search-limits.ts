export const MAX_QUERY_CHARACTERS = 400;
export const MOST_RESULTS = 20;
/** Maximum number of tokens in a result. A larger result would be cut to a preview before a model reads it. */
export const MOST_TOKENS = 10_000;
export const MOST_AGE_SECONDS = 604_800;
export const DEFAULT_MAX_AGE_SECONDS = 900;
/** Maximum number of domains in one call. */
export const MOST_DOMAINS = 10;
