/** Default tolerance for the timestamp of a signed call: the maximum of `|now - timestamp|`, in seconds. */
export const DEFAULT_TOLERANCE_SECONDS = 300;
