import { parseDestination } from "./destination.ts";
import { EgressError } from "./egress-error.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { DEFAULT_LIMITS } from "./policy.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that reveal nothing about the sender, so any destination may get them. */
const HEADERS_FOR_ANYBODY: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

/** Headers of a body, which no redirected request has. */
const HEADERS_OF_BODY = /^content-/;

/**
 * The request that a redirect asks for; undefined for any other response.
 *
 * @throws EgressError `REDIRECT_REFUSED` when following it would repeat a body or a method that may change something,
 *   or leave https; `URL_BLOCKED` for a location that no request may have.
 */
export function redirectedRequest(request: EgressRequest, answer: EgressResponse): EgressRequest | undefined {
  const { status } = answer;
  const location = answer.headers["location"];
  if (!REDIRECTS.has(status) || location === undefined) {
    return undefined;
  }
  const next = typeof location === "string" ? URL.parse(location, answer.url) : null;
  if (next === null) {
    throw refused(status, "its location is not a url");
  }
  if (next.protocol !== "https:") {
    throw refused(status, "it does not lead to https");
  }
  const becomesGet =
    (status === 303 && request.method !== "HEAD") || ((status === 301 || status === 302) && request.method === "POST");
  if (!becomesGet && (request.body !== undefined || (request.method !== "GET" && request.method !== "HEAD"))) {
    throw refused(status, `a ${request.method} is not repeated at another URL`);
  }
  const { body: _body, ...rest } = request;
  return {
    ...rest,
    url: next.href,
    method: becomesGet ? "GET" : request.method,
    headers: headersFor(request, originOf(answer.url) === originOf(next.href)),
  };
}

function headersFor(request: EgressRequest, isSameOrigin: boolean): EgressRequest["headers"] {
  return Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => {
      const lowerCaseName = name.toLowerCase();
      return isSameOrigin ? !HEADERS_OF_BODY.test(lowerCaseName) : HEADERS_FOR_ANYBODY.has(lowerCaseName);
    }),
  );
}

function originOf(url: string): string {
  return parseDestination(url, DEFAULT_LIMITS.urlLength).origin;
}

function refused(status: number, why: string): EgressError {
  return new EgressError("REDIRECT_REFUSED", "the service redirects to a URL that the request can't follow", {
    reason: `status ${status}: ${why}`,
    bytesMayHaveLeft: true,
    answerStatus: status,
  });
}
