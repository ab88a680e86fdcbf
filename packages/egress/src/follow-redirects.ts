import type { EgressRequest, EgressResponse } from "./message.ts";

/** Why a redirect is not followed. */
export type RedirectRefusal = "no_target" | "not_https" | "not_repeatable" | "circle" | "too_many";

/** How far redirects are followed, and how each request of the chain is sent. */
export interface RedirectRules {
  readonly maxRedirects: number;
  /** Whether a redirect may lead to another scheme than https, for the sender to decide; default false. */
  readonly mayLeaveHttps?: boolean;
  /** Refuses a redirect without a location, and one to a URL of the same chain; default false. */
  readonly isStrict?: boolean;
  /** @param hop - 0 for the request itself, 1 for the first redirect. */
  readonly send: (request: EgressRequest, hop: number) => Promise<EgressResponse>;
  /** Creates the error for a redirect that is not followed, in the words of its reader. */
  readonly refuse: (why: RedirectRefusal, redirect: EgressResponse, request: EgressRequest) => Error;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that reveal nothing about the sender, so any destination may get them. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

/** Headers of a body, which no redirected request has. */
const BODY_HEADERS = /^content-/;

/**
 * Sends a request and follows its redirects: 303, and 301 and 302 after a POST, become a GET without a body; another
 * origin gets harmless headers only; no other body and no method that may change something is repeated.
 *
 * @throws whatever `send` and `refuse` make of a hop.
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

/** The request that a response asks for; undefined: it is no redirect. */
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
