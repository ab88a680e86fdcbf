/** Characters of a page's text that one call gives at least, when asked for less than all. */
export const LEAST_CHARACTERS = 500;
/** At most: with everything else, no more than a model reads of one result. */
export const MOST_CHARACTERS = 40_000;
export const DEFAULT_CHARACTERS = 20_000;
/** Where a call may begin at most; texts are cut at two million characters. */
export const MOST_OFFSET = 10_000_000;
export const MAX_URL_CHARACTERS = 8_192;
