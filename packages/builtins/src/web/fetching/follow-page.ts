import { EgressError, type EgressGuard, type EgressResponse } from "@yagate/egress";
import { defined } from "@yagate/lib/objects/defined";
import { PageError } from "../port.ts";
import { egressPageError, pageError } from "./page-failure.ts";

/** Maximum number of redirects; RFC 9309 requires at least five for robots.txt. */
export const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** One GET without a body, cookies or credentials, with limits on its redirects. */
export interface PageVisit {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly onTooLarge?: "refuse" | "cut";
  /** Time limit in ms until the last byte, including redirects. */
  readonly remainingMs: () => number;
  readonly signal: AbortSignal;
  /** Called with every URL before a request is sent; throws for a URL that must not be visited. */
  readonly beforeVisit: (url: URL) => Promise<void>;
}

/**
 * Fetches a URL and follows its redirects. Every hop is a separate request that the guard checks again.
 *
 * @throws PageError, or the error of `beforeVisit`.
 */
export async function followPage(egress: EgressGuard, visit: PageVisit): Promise<EgressResponse> {
  const visited = new Set<string>();
  let url = parseUrl(visit.url);
  for (;;) {
    visited.add(url.href);
    try {
      await visit.beforeVisit(url);
      const response = await send(egress, visit, url);
      const next = nextUrl(response, url);
      if (next === undefined) return response;
      if (visited.has(next.href)) throw pageError("REDIRECT_REFUSED", "the site redirects in a loop");
      if (visited.size > MAX_REDIRECTS) {
        throw pageError("REDIRECT_REFUSED", `the site redirects more than ${MAX_REDIRECTS} times`);
      }
      url = next;
    } catch (error) {
      throw visited.size > 1 ? atRedirect(error) : error;
    }
  }
}

/** @throws PageError. */
function parseUrl(text: string): URL {
  const url = URL.parse(text);
  // For an invalid URL, the guard's message names the problem; text without a scheme is usually a host.
  if (url === null) throw pageError("INVALID_ARGUMENTS", "expected a complete URL, such as https://example.com/page");
  url.hash = "";
  return url;
}

async function send(egress: EgressGuard, visit: PageVisit, url: URL): Promise<EgressResponse> {
  const timeoutMs = Math.floor(visit.remainingMs());
  if (timeoutMs < 1) throw pageError("TIMEOUT", "no time was left to fetch the page");
  const { headers, maxBytes: maxResponseBytes, onTooLarge = "refuse", signal } = visit;
  try {
    return await egress.request({
      method: "GET",
      url: url.href,
      headers,
      timeoutMs,
      maxResponseBytes,
      onTooLarge,
      signal,
    });
  } catch (error) {
    throw error instanceof EgressError ? egressPageError(error) : error;
  }
}

/** The redirect target of a response; undefined: it is the final one. @throws PageError. */
function nextUrl({ status, headers }: EgressResponse, base: URL): URL | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const location = headers["location"];
  const next = typeof location === "string" ? URL.parse(location, base.href) : null;
  if (next === null) throw pageError("REDIRECT_REFUSED", "the site redirects without a target URL");
  next.hash = "";
  return next;
}

/**
 * The site chose the redirect target, so the message for the model must not contain any part of it, not even the host
 * name.
 */
const AT_REDIRECT: Readonly<Record<string, string>> = {
  URL_BLOCKED: "the page redirects to an address that is not approved, or whose site does not allow it to be fetched",
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
