import { gatewayFailure } from "@yagate/calls/failure";
import { headerOf } from "@yagate/calls/read-response";
import type { EgressResponse } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import type { JsonObject, JsonValue } from "@yagate/protocol";
import type { ResponseBody } from "./response-body.ts";

/**
 * Classifies a response. Its content is untrusted.
 *
 * @param response - the redacted response.
 * @param body - the redacted body.
 * @param now - ms since the epoch.
 */
export function classifyNetworkResponse(
  response: Pick<EgressResponse, "status" | "headers" | "isCut">,
  body: ResponseBody,
  now: number,
): { readonly result: JsonValue } | { readonly failure: Failure } {
  const { status, headers, isCut } = response;
  const contentType = headerOf(headers, "content-type") ?? null;
  const cut = isCut
    ? { truncated: true, keptBytes: body.keptBytes, ...totalBytes(headerOf(headers, "content-length")) }
    : {};
  if (status >= 200 && status < 300) {
    return { result: { status, contentType, body: body.value, ...cut } };
  }
  if (status >= 300 && status < 400) {
    const location = headerOf(headers, "location");
    const details = { status, location: location ?? null };
    return { failure: redirectRefused(details) };
  }
  const details = { status, contentType, body: body.value, ...cut };
  return { failure: httpFailure(status, details, parseRetryAfter(headerOf(headers, "retry-after"), now)) };
}

/**
 * Returns the full size of content that was cut, from the response's length header. The gateway never cuts encoded
 * responses, so the header states the size of the content.
 */
function totalBytes(length: string | undefined): { readonly totalBytes?: number } {
  return length !== undefined && /^\d{1,15}$/.test(length) ? { totalBytes: Number(length) } : {};
}

function redirectRefused(details: JsonObject): Failure {
  return gatewayFailure("REDIRECT_REFUSED", "the service redirects, and redirects are not followed", {
    outcome: "none",
    hint: "details.location contains the new URL; call it directly if its host is allowed",
    details,
  });
}

function httpFailure(status: number, details: JsonObject, retryAfterMs: number | undefined): Failure {
  const isRetryable = isRetryableStatus(status);
  return gatewayFailure("HANDLER_ERROR", `the service responded with HTTP ${status}`, {
    outcome: "none",
    isRetryable,
    hint: hintFor(status),
    details,
    ...(isRetryable && retryAfterMs !== undefined ? { retryAfterMs } : {}),
  });
}

function hintFor(status: number): string {
  if (status === 401 || status === 403)
    return "the service denies access; do not try to work around it, but tell the user";
  if (status === 404 || status === 410) return "the requested resource does not exist; check the path and the ids";
  if (status === 429) return "the service limits the rate of requests; reply with what you know, or retry once later";
  if (status >= 500) return "the service itself failed; continue without it, or retry once later";
  return "details.body explains what the service rejected; correct the request";
}
