import type { JsonObject, JsonValue } from "@yagate/protocol";
import { gatewayFailure } from "../../dispatch/failure.ts";
import { headerOf } from "../../dispatch/header.ts";
import { parseRetryAfter } from "../../dispatch/retry-after.ts";
import type { EgressResponse } from "../../egress/index.ts";
import type { ToolFailure } from "../port.ts";
import type { AnswerBody } from "./answer-body.ts";

/** Most characters of an error's body that are kept: a model reads no more of it. */
const MAX_ERROR_CHARACTERS = 50_000;

/**
 * What an answer means for the call. Whatever it holds was written by strangers.
 *
 * @param response - without secrets, as `body`.
 * @param now - ms since the epoch.
 */
export function interpretNetworkAnswer(
  response: Pick<EgressResponse, "status" | "headers" | "isCut">,
  body: AnswerBody,
  now: number,
): { readonly result: JsonValue } | { readonly failure: ToolFailure } {
  const { status, headers, isCut } = response;
  const contentType = headerOf(headers, "content-type") ?? null;
  if (status >= 200 && status < 300) {
    return { result: { status, contentType, body: body.value, ...(isCut ? { truncated: true } : {}) } };
  }
  if (status >= 300 && status < 400) {
    const location = headerOf(headers, "location");
    const details = { status, location: location ?? null };
    return { failure: redirectRefused(details) };
  }
  const details = { status, contentType, body: cutBody(body), ...(isCut ? { truncated: true } : {}) };
  return { failure: httpFailure(status, details, parseRetryAfter(headerOf(headers, "retry-after"), now)) };
}

function redirectRefused(details: JsonObject): ToolFailure {
  return gatewayFailure("REDIRECT_REFUSED", "the service redirects, and redirects are not followed", {
    outcome: "none",
    hint: "details.location says where to; call that URL itself if it is an approved one",
    details,
  });
}

function httpFailure(status: number, details: JsonObject, retryAfterMs: number | undefined): ToolFailure {
  const isRetryable = status === 408 || status === 425 || status === 429 || (status >= 500 && status < 600);
  return gatewayFailure("HANDLER_ERROR", `the service answered with HTTP ${status}`, {
    outcome: "none",
    isRetryable,
    hint: hintFor(status),
    details,
    ...(isRetryable && retryAfterMs !== undefined ? { retryAfterMs } : {}),
  });
}

function hintFor(status: number): string {
  if (status === 401 || status === 403)
    return "the service refuses this access; do not try to work around it, tell the user";
  if (status === 404 || status === 410) return "what the request names is not there; check its path and its ids";
  if (status === 429) return "the service asks for fewer requests; answer with what is known, or try again later";
  if (status >= 500) return "the service itself failed; go on without it or try again later";
  return "details.body says what the service did not accept; correct the request";
}

function cutBody({ value, text }: AnswerBody): JsonValue {
  if (text.length <= MAX_ERROR_CHARACTERS) return value;
  const kept = text.slice(0, MAX_ERROR_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n[cut: ${text.length - kept.length} of ${text.length} characters left out]`;
}
