import type { EgressRequest, EgressResponse } from "./message.ts";

/** The reason why a redirect is not followed. */
export type RedirectRefusal = "no_target" | "not_https" | "not_repeatable" | "circle" | "too_many";

/** The limits for following redirects, and the function that sends each request of the chain. */
export interface RedirectRules {
  readonly maxRedirects: number;
  /** Whether redirects may lead to a scheme other than https; default false. If true, `send` decides about them. */
  readonly mayLeaveHttps?: boolean;
  /** Whether to reject redirects without a location, and redirects to an earlier URL in the chain; default false. */
  readonly isStrict?: boolean;
  /**
   * Sends one request of the chain.
   *
   * @param hop - 0 for the original request, 1 for the first redirect.
   */
  readonly send: (request: EgressRequest, hop: number) => Promise<EgressResponse>;
  /** Creates the error for a redirect that is not followed. */
  readonly refuse: (why: RedirectRefusal, redirect: EgressResponse, request: EgressRequest) => Error;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that reveal nothing about the sender, so they may go to any destination. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

/** Headers that describe a body. They are removed, because a redirected request has no body. */
const BODY_HEADERS = /^content-/;

/**
 * Sends a request and follows its redirects. After a 303, or after a 301 or 302 in response to a POST, the next request
 * is a GET without a body. A redirect that would repeat a body, or a method other than GET and HEAD, is not followed.
 * Another origin receives only harmless headers.
 *
 * @throws the errors of `send` and `refuse`.
 */
export async function followRedirects(options: EgressRequest, rules: RedirectRules): Promise<EgressResponse> {
  const visited = new Set([options.url]);
  let request = options;
  for (let hop = 0; ; hop += 1) {
    const response = await rules.send(request, hop);
    const next = redirectedRequest(request, response, rules);
    if (next === undefined) return response;
    if (rules.isStrict === true && visited.has(next.url)) throw rules.refuse("circle", response, request);
    if (hop >= rules.maxRedirects) throw rules.refuse("too_many", response, request);
    visited.add(next.url);
    request = next;
  }
}

/** Returns the request to send after a redirect; undefined if the response is not a redirect. */
function redirectedRequest(
  request: EgressRequest,
  response: EgressResponse,
  { mayLeaveHttps = false, isStrict = false, refuse }: RedirectRules,
): EgressRequest | undefined {
  const { status } = response;
  const location = response.headers["location"];
  if (!REDIRECTS.has(status) || (location === undefined && !isStrict)) return undefined;
  const next = typeof location === "string" ? URL.parse(location, response.url) : null;
  if (next === null) throw refuse("no_target", response, request);
  if (next.protocol !== "https:" && !mayLeaveHttps) throw refuse("not_https", response, request);
  const { method } = request;
  const becomesGet = (status === 303 && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST");
  if (!becomesGet && (request.body !== undefined || (method !== "GET" && method !== "HEAD"))) {
    throw refuse("not_repeatable", response, request);
  }
  next.hash = "";
  const isSameOrigin = next.origin === new URL(response.url).origin;
  const { body: _body, ...rest } = request;
  return {
    ...rest,
    url: next.href,
    method: becomesGet ? "GET" : method,
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => {
        const lowerCaseName = name.toLowerCase();
        return isSameOrigin ? !BODY_HEADERS.test(lowerCaseName) : HARMLESS_HEADERS.has(lowerCaseName);
      }),
    ),
  };
}
