/** Minimum for the text of one call, in characters, when a call limits it. */
export const LEAST_CHARACTERS = 500;
/** Maximum: with the rest of the result, no more than a model reads of one result. */
export const MOST_CHARACTERS = 40_000;
export const DEFAULT_CHARACTERS = 20_000;
/** Maximum start offset of a call; texts are cut at two million characters. */
export const MOST_OFFSET = 10_000_000;
export const MAX_URL_CHARACTERS = 8_192;
