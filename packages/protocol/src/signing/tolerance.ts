/**
 * Default tolerance for the timestamp of a signed call: the maximum difference between the timestamp and the current
 * time, in seconds.
 */
export const DEFAULT_TOLERANCE_SECONDS = 300;
