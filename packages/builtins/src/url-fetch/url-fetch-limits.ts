/** Minimum value of `maxCharacters`. */
export const LEAST_CHARACTERS = 500;
/**
 * Maximum value of `maxCharacters`. A result with a text of this length is still short enough for a model to read
 * completely.
 */
export const MOST_CHARACTERS = 40_000;
export const DEFAULT_CHARACTERS = 20_000;
/** Maximum start offset of a call. Texts are cut at two million characters. */
export const MOST_OFFSET = 10_000_000;
export const MAX_URL_CHARACTERS = 8_192;
