import type { IncomingMessage, ServerResponse } from "node:http";
import { YagateError } from "@yagate/protocol";

/** Methods and headers that pages may send. Bearer tokens are the only credentials, so cookies are never allowed. */
const METHODS = "GET, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, MCP-Protocol-Version, Mcp-Method, Mcp-Name";
/** Response headers that pages may read. With `Date`, the client can determine the offset of its clock. */
const RESPONSE_HEADERS = "Date, Location, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id";
/**
 * How long browsers cache a preflight response, in seconds. Pages of a removed origin can send requests for that long.
 */
const PREFLIGHT_SECONDS = 600;

/** Decides which pages of other origins may use the API (WHATWG Fetch §3.3). */
export interface Cors {
  /** Allows the page that sent the request to read the response, whatever its status. */
  admit(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Responds to a preflight request.
   * @throws YagateError `FORBIDDEN` for an origin that is not allowed.
   */
  answerPreflight(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * @param origins - the allowed origins, as browsers write them in `Origin`. Pages of other origins, or without an
 *   origin, get no access.
 */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  const allowedOrigin = ({ headers: { origin } }: IncomingMessage) =>
    origin !== undefined && allowed.has(origin) ? origin : undefined;

  return {
    admit(request, response) {
      if (allowed.size === 0 || !isApi(request)) return;
      // Set for every origin, so that a cache never serves the response for one origin to another.
      response.setHeader("Vary", "Origin");
      const origin = allowedOrigin(request);
      if (origin === undefined) return;
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", RESPONSE_HEADERS);
    },
    answerPreflight(request, response) {
      if (!isApi(request) || allowedOrigin(request) === undefined) {
        throw new YagateError("FORBIDDEN", "pages of this origin may not use the API", {
          hint: "add the page's origin to YAGATE_CORS_ORIGINS, or call the API from the page's own server",
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

/** Checks whether this is a CORS preflight request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && "access-control-request-method" in headers;
}

function isApi({ url = "" }: IncomingMessage): boolean {
  const [path = ""] = url.split("?", 1);
  return path.startsWith("/v1/") || path === "/mcp" || path.startsWith("/.well-known/oauth-protected-resource");
}
