import type { JsonValue } from "@yagate/protocol";
import { bodyText } from "@yagate/tool-definitions/request/body-text";
import type { RenderedRequest } from "@yagate/tool-definitions/request/port";
import { withinRequestLimits } from "@yagate/tool-definitions/request/request-limits";

/** A request as it goes over the wire, but for what the way out adds. */
export interface WireRequest {
  readonly method: RenderedRequest["method"];
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a request says where nobody else did. */
const DEFAULT_HEADERS = { accept: "*/*", "user-agent": "yagate" };

/**
 * Writes the body of a request down and says what it is.
 *
 * @throws YagateError `INVALID_ARGUMENTS`, for the model.
 */
export function toWireRequest(rendered: RenderedRequest): WireRequest {
  const { method, url, headers, body } = withinRequestLimits(rendered);
  const text = bodyText(rendered);
  if (body === undefined || text === undefined) return { method, url, headers: { ...DEFAULT_HEADERS, ...headers } };
  return { method, url, headers: { ...DEFAULT_HEADERS, "content-type": typeOf(body), ...headers }, body: text };
}

/** Models like to write JSON down themselves. */
function typeOf(body: JsonValue): string {
  return typeof body !== "string" || isJsonText(body) ? "application/json" : "text/plain; charset=utf-8";
}

function isJsonText(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
