import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { type ErrorCode, type FieldError, isErrorCode, problemSchema, type YagateError } from "@yagate/protocol";
import type * as z from "zod";
import { ApiError, type ExceededQuota } from "./api-error.ts";
import { incompatibleResponse } from "./incompatible-response.ts";

const MAX_FIELDS_IN_MESSAGE = 5;

// A proxy in front of the gateway may respond with an error in its own format, so missing fields are derived from the
// status.
const answerSchema = problemSchema.partial();

/**
 * Statuses with which any server may respond to unknown paths and methods. A gateway always sends a problem document
 * with a code, so a response without a code comes from another server.
 */
const STRANGERS_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Converts an error response to an {@link ApiError}, or to `INVALID_RESPONSE` if it did not come from a gateway. The
 * message never quotes a body that is not a problem document.
 */
export async function toApiError(
  response: Response,
  { origin, nowMs }: { readonly origin: string; readonly nowMs: number },
): Promise<YagateError> {
  const problem = answerSchema.safeParse(parseJsonOrUndefined(await response.text())).data ?? {};
  if (problem.code === undefined && STRANGERS_STATUSES.has(response.status)) {
    return incompatibleResponse(
      `expected a gateway at ${origin}, but another server responded with ${response.status}`,
    );
  }
  const fieldErrors = problem.errors ?? [];
  const code = problem.code !== undefined && isErrorCode(problem.code) ? problem.code : codeOfStatus(response.status);
  const detail = problem.detail ?? problem.title ?? `the gateway responded with ${response.status} and gave no reason`;
  return new ApiError(code, withFields(detail, fieldErrors), {
    status: response.status,
    rawCode: problem.code ?? code,
    requestId: problem.requestId ?? response.headers.get("x-request-id"),
    fieldErrors,
    retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), nowMs) ?? null,
    quota: quotaOf(problem),
    hint: problem.hint,
  });
}

function quotaOf({ quota, limit, used }: z.infer<typeof answerSchema>): ExceededQuota | undefined {
  return quota === undefined || limit === undefined || used === undefined ? undefined : { quota, limit, used };
}

function withFields(detail: string, fieldErrors: readonly FieldError[]): string {
  const others = fieldErrors.filter(({ message }) => message !== detail);
  if (others.length === 0) return detail;
  const named = others.slice(0, MAX_FIELDS_IN_MESSAGE).map((error) => `${error.path}: ${error.message}`);
  const more = others.length - named.length;
  return `${detail} (${named.join("; ")}${more > 0 ? `; and ${more} more` : ""})`;
}

function codeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 401:
      return "UNAUTHENTICATED";
    case 403:
      return "FORBIDDEN";
    case 404:
      return "NOT_FOUND";
    case 409:
      return "CONFLICT";
    case 410:
      return "GONE";
    case 413:
      return "BODY_TOO_LARGE";
    case 429:
      return "RATE_LIMITED";
    case 408:
    case 425:
    case 502:
    case 503:
    case 504:
      return "UNAVAILABLE";
    default:
      return status >= 500 ? "INTERNAL" : "INVALID_REQUEST";
  }
}
