import { EgressError, type EgressGuard, type EgressRequest, type EgressResponse } from "@yagate/egress";
import { followRedirects, type RedirectRefusal } from "@yagate/egress/internal";
import { defined } from "@yagate/lib/objects/defined";
import { PageError } from "../port.ts";
import { egressPageError, pageError } from "./page-failure.ts";

/** Maximum number of redirects. RFC 9309 requires at least five for robots.txt. */
export const MAX_REDIRECTS = 5;

/** One GET request without a body, cookies or credentials. Its limits also apply to its redirects. */
export interface PageVisit {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly onTooLarge?: "refuse" | "cut";
  /** Returns the time left in ms until the last byte must have arrived. */
  readonly remainingMs: () => number;
  readonly signal: AbortSignal;
  /** Called with every URL before a request is sent to it; throws for a URL that must not be visited. */
  readonly beforeVisit: (url: URL) => Promise<void>;
}

/**
 * Fetches a URL and follows its redirects. Each redirect is a separate request that the guard checks again.
 *
 * @throws PageError, or the error of `beforeVisit`.
 */
export async function followPage(egress: EgressGuard, visit: PageVisit): Promise<EgressResponse> {
  const { headers, maxBytes: maxResponseBytes, onTooLarge = "refuse", signal } = visit;
  const request = { method: "GET", headers, maxResponseBytes, onTooLarge, signal } as const;
  let isRedirected = false;
  async function send(next: EgressRequest): Promise<EgressResponse> {
    await visit.beforeVisit(new URL(next.url));
    const timeoutMs = Math.floor(visit.remainingMs());
    if (timeoutMs < 1) throw pageError("TIMEOUT", "no time was left to fetch the page");
    try {
      const response = await egress.request({ ...next, timeoutMs });
      isRedirected = true;
      return response;
    } catch (error) {
      throw error instanceof EgressError ? egressPageError(error, { timeoutMs, maxResponseBytes }) : error;
    }
  }
  try {
    const url = parseUrl(visit.url);
    const rules = { maxRedirects: MAX_REDIRECTS, mayLeaveHttps: true, isStrict: true, send, refuse };
    return await followRedirects({ ...request, url, timeoutMs: visit.remainingMs() }, rules);
  } catch (error) {
    throw isRedirected ? atRedirect(error) : error;
  }
}

/** Parses the URL of a page. @throws PageError for a text that is not a complete URL. */
function parseUrl(text: string): string {
  const url = URL.parse(text);
  // The guard's own message would be about https, but a URL without a scheme was meant as a host.
  if (url === null) throw pageError("INVALID_ARGUMENTS", "expected a complete URL, such as https://example.com/page");
  url.hash = "";
  return url.href;
}

const REFUSALS: Readonly<Record<RedirectRefusal, string>> = {
  no_target: "the site redirects without a target URL",
  not_https: "the site redirects to a scheme other than https",
  not_repeatable: "the site redirects a request that can't be repeated",
  circle: "the site redirects in a circle",
  too_many: `the site redirects more than ${MAX_REDIRECTS} times`,
};

function refuse(why: RedirectRefusal): PageError {
  return pageError("REDIRECT_REFUSED", REFUSALS[why]);
}

/**
 * The messages for errors after a redirect. The site chose the target, so no message for the model may contain any part
 * of it, not even the host name.
 */
const AT_REDIRECT: Readonly<Record<string, string>> = {
  URL_BLOCKED: "the page redirects to an address that is not allowed, or whose site does not allow it to be fetched",
  DNS_BLOCKED: "the page redirects to a host that does not exist or is not public",
  TIMEOUT: "the page redirects to a site that did not respond in time",
  NETWORK_ERROR: "the page redirects to a site that could not be reached",
  TLS_ERROR: "the page redirects to a site whose certificate is not trusted",
  RESPONSE_TOO_LARGE: "the page redirects to a page that is too large",
};

function atRedirect(error: unknown): unknown {
  if (!(error instanceof PageError) || error.code === "REDIRECT_REFUSED" || error.code === "CANCELLED") return error;
  const { code, isRetryable, hint, cause } = error;
  return new PageError(code, AT_REDIRECT[code] ?? "the page redirects to an address that can't be fetched", {
    isRetryable,
    cause,
    ...defined({ hint }),
  });
}
