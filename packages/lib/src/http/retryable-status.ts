const PASSING = [408, 425, 429];

/**
 * Checks whether a status means that the same request may succeed later: 408, 425, 429 and all server errors. A status
 * above 599 counts as a server error, as required by RFC 9110, section 15.
 */
export function isRetryableStatus(status: number): boolean {
  return status >= 500 || PASSING.includes(status);
}
