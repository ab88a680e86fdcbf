import { EgressError } from "./egress-error.ts";
import { followRedirects, type RedirectRefusal } from "./follow-redirects.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { type EgressRoute, sendRequest } from "./request.ts";

const MAX_REDIRECTS = 3;

/**
 * Sends a request and follows its redirects, checking each one again.
 *
 * @param route - for the original request.
 * @param redirectRoute - for redirects.
 * @throws EgressError `REDIRECT_REFUSED`, or the error of a request in the chain, whose reason states the number of the
 *   redirect.
 */
export async function followRevalidated(
  route: EgressRoute,
  redirectRoute: EgressRoute,
  options: EgressRequest,
): Promise<EgressResponse> {
  const { timeoutMs } = options;
  const startedAt = performance.now();
  let redirects = 0;
  let previous: EgressResponse | undefined;
  async function send(request: EgressRequest, hop: number): Promise<EgressResponse> {
    if (hop === 0) return sendRequest(route, request);
    const remainingMs = timeoutMs - (performance.now() - startedAt);
    if (remainingMs < 1) throw new EgressError("TIMEOUT", tooSlow(timeoutMs), { reason: "the total deadline passed" });
    const { onBytesSent: _sent, onTimeout: _timeout, unsentSignal: _unsent, ...rest } = request;
    return sendRequest(redirectRoute, { ...rest, timeoutMs: remainingMs });
  }
  try {
    const response = await followRedirects(options, {
      maxRedirects: MAX_REDIRECTS,
      refuse,
      async send(request, hop) {
        previous = await send(request, hop);
        redirects = hop + 1;
        return previous;
      },
    });
    const requestBytes = options.body?.byteLength ?? 0;
    return { ...response, requestBytes, durationMs: performance.now() - startedAt };
  } catch (error) {
    if (previous === undefined || !(error instanceof EgressError)) throw error;
    throw atHop(error, redirects, previous, timeoutMs);
  }
}

function refuse(why: RedirectRefusal, { status }: EgressResponse, { method }: EgressRequest): EgressError {
  if (why === "too_many") {
    const reason = `status ${status} after ${MAX_REDIRECTS} redirects`;
    return new EgressError("REDIRECT_REFUSED", `the service redirected more than ${MAX_REDIRECTS} times`, { reason });
  }
  const reasons = {
    no_target: "its location is not a url",
    not_https: "its location is not https",
    not_repeatable: `a ${method} is not repeated at another URL`,
    circle: "its location was already requested",
  };
  const reason = `status ${status}: ${reasons[why]}`;
  return new EgressError("REDIRECT_REFUSED", "the service redirects to a URL that the request cannot follow", {
    reason,
  });
}

/** Converts an error that occurred at a redirect. The request counts as sent, because the original request was sent. */
function atHop(error: EgressError, hop: number, previous: EgressResponse, timeoutMs: number): EgressError {
  const { code, reason, isTemporary, answerStatus = previous.status, timings, cause } = error;
  return new EgressError(code, code === "TIMEOUT" ? tooSlow(timeoutMs) : error.message, {
    reason: `at redirect ${hop}: ${reason}`,
    bytesMayHaveLeft: true,
    isTemporary,
    answerStatus,
    timings,
    cause,
  });
}

function tooSlow(timeoutMs: number): string {
  return `the service did not respond within ${timeoutMs} ms`;
}
