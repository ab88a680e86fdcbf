import { isObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";

/**
 * Creates the error for a missing or incomplete response. The message contains only the gateway's origin; `cause` is
 * the error that the runtime threw.
 */
export function connectionFailed(what: string, origin: string, cause?: unknown): YagateError {
  const reason = systemCode(cause);
  return new YagateError("CONNECTION_FAILED", `${what} ${origin}${reason === undefined ? "" : ` (${reason})`}`, {
    cause,
    ...(isForeign(origin) ? { hint: PAGE_HINT } : {}),
  });
}

const PAGE_HINT =
  "check that the gateway is running, that baseUrl is its address, and that it allows pages from this origin (YAGATE_CORS_ORIGINS)";

// Browsers do not reveal why a request to another origin failed, so the hint lists the possible causes.
function isForeign(origin: string): boolean {
  const location: unknown = Reflect.get(globalThis, "location");
  return isObject(location) && Reflect.get(location, "origin") !== origin;
}

// fetch nests ECONNREFUSED and similar codes one or two causes deep.
function systemCode(error: unknown, depth = 0): string | undefined {
  if (!isObject(error) || depth > 3) return undefined;
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
  return systemCode(Reflect.get(error, "cause"), depth + 1);
}
