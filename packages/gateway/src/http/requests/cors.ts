import type { IncomingMessage, ServerResponse } from "node:http";
import { YagateError } from "@yagate/protocol";

/** What pages may send; bearer tokens are the only credentials, so cookies are never allowed. */
const METHODS = "GET, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer";
/** What pages may read beside the body. `Date` tells the client how far its clock is off the gateway's. */
const ANSWER_HEADERS = "Date, Location, Preference-Applied, Retry-After, X-Request-Id";
/** How long a browser need not ask again, in seconds; a removed origin is asked for that long in vain. */
const PREFLIGHT_SECONDS = 600;

/** Which pages of other origins may use the API (WHATWG Fetch §3.3). */
export interface Cors {
  /** Lets the page that asks read the answer, whatever it will be. */
  admit(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Answers a browser that asks what a page may send.
   * @throws YagateError `FORBIDDEN` for an origin that is not among the allowed ones.
   */
  answerPreflight(request: IncomingMessage, response: ServerResponse): void;
}

/** @param origins - as browsers write them in `Origin`; pages of others, and those without an origin, read nothing. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  const allowedOrigin = ({ headers: { origin } }: IncomingMessage) =>
    origin !== undefined && allowed.has(origin) ? origin : undefined;

  return {
    admit(request, response) {
      if (allowed.size === 0 || !isApi(request)) return;
      // Also where nothing is allowed: a cache must not give the one's answer to the other.
      response.setHeader("Vary", "Origin");
      const origin = allowedOrigin(request);
      if (origin === undefined) return;
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", ANSWER_HEADERS);
    },
    answerPreflight(request, response) {
      if (!isApi(request) || allowedOrigin(request) === undefined) {
        throw new YagateError("FORBIDDEN", "pages of this origin may not use the API", {
          hint: "name the page's origin in YAGATE_CORS_ORIGINS, or let the page ask its own server",
        });
      }
      response.writeHead(204, {
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": REQUEST_HEADERS,
        "Access-Control-Max-Age": PREFLIGHT_SECONDS,
      });
      response.end();
    },
  };
}

/** Whether a browser asks on behalf of a page, before the page's own request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && "access-control-request-method" in headers;
}

function isApi({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/v1/");
}
