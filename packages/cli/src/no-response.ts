/**
 * States why `fetch` got no response: the time ran out, nothing listens there, or the connection failed for another
 * reason.
 *
 * @param place - the URL or origin that was called.
 */
export function whyNoResponse(error: unknown, place: string, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `no response from ${place} within ${timeoutMs} ms`;
  return codeOf(error) === "ECONNREFUSED" ? `${place} refused the connection` : `the connection to ${place} failed`;
}

function codeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
