import { EgressError } from "./egress-error.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { redirectedRequest } from "./redirect.ts";
import { sendRequest, type WayOut } from "./request.ts";

const MAX_REDIRECTS = 3;

/**
 * Sends a request and follows redirects.
 *
 * @param way - the egress route of the request itself.
 * @param redirectWay - the egress route of redirects.
 * @throws EgressError: `REDIRECT_REFUSED`, or the error of a hop, whose reason names the hop.
 */
export async function followRedirects(
  way: WayOut,
  redirectWay: WayOut,
  options: EgressRequest,
): Promise<EgressResponse> {
  const startedAt = performance.now();
  let request = options;
  let answer = await sendRequest(way, request);
  for (let hop = 1; ; hop += 1) {
    try {
      const next = redirectedRequest(request, answer);
      if (next === undefined) {
        const requestBytes = options.body?.byteLength ?? 0;
        return { ...answer, requestBytes, durationMs: performance.now() - startedAt };
      }
      if (hop > MAX_REDIRECTS) {
        throw new EgressError("REDIRECT_REFUSED", `the service must redirect at most ${MAX_REDIRECTS} times`, {
          reason: `status ${answer.status} after ${MAX_REDIRECTS} redirects`,
        });
      }
      const timeoutMs = options.timeoutMs - (performance.now() - startedAt);
      if (timeoutMs < 1) {
        throw new EgressError("TIMEOUT", `the service must respond within ${options.timeoutMs} ms`, {
          reason: "the total deadline passed",
        });
      }
      const { onBytesSent: _sent, onTimeout: _timeout, unsentSignal: _unsent, ...rest } = next;
      request = { ...rest, timeoutMs };
      answer = await sendRequest(redirectWay, request);
    } catch (error) {
      throw error instanceof EgressError ? atHop(error, hop, answer, options.timeoutMs) : error;
    }
  }
}

/** A failure at a later hop counts as sent, because the first request left. */
function atHop(error: EgressError, hop: number, answer: EgressResponse, timeoutMs: number): EgressError {
  const { code, reason, isTemporary, answerStatus = answer.status, timings, cause } = error;
  const message = code === "TIMEOUT" ? `the service must respond within ${timeoutMs} ms` : error.message;
  return new EgressError(code, message, {
    reason: `at redirect ${hop}: ${reason}`,
    bytesMayHaveLeft: true,
    isTemporary,
    answerStatus,
    timings,
    cause,
  });
}
