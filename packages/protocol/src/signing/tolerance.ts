/** Default maximum of `|now - timestamp|` of a signed call, in seconds, in both directions. */
export const DEFAULT_TOLERANCE_SECONDS = 300;
