import { type JsonValue, YagateError } from "@yagate/protocol";
import type { RenderedRequest } from "./port.ts";

/** Most bytes of a request's body: the leak scan looks at all of it. */
const MAX_BODY_BYTES = 1_048_576;

/** A request as it goes over the wire, but for what the way out adds. */
export interface WireRequest {
  readonly method: RenderedRequest["method"];
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Writes the body of a request down and says what it is.
 *
 * @throws YagateError `INVALID_ARGUMENTS`, for the model.
 */
export function toWireRequest({ method, url, headers, body }: RenderedRequest): WireRequest {
  const own = { accept: "*/*", "user-agent": "yagate" };
  if (body === undefined) return { method, url, headers: { ...own, ...headers } };
  const type = headers["content-type"];
  const text = bodyText(body, type);
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) {
    throw new YagateError("INVALID_ARGUMENTS", `expected a body of at most ${MAX_BODY_BYTES} bytes`);
  }
  return { method, url, headers: { ...own, "content-type": type ?? typeOf(body), ...headers }, body: text };
}

function bodyText(body: JsonValue, type: string | undefined): string {
  if (typeof body === "string") return body;
  return type !== undefined && FORM.test(type) ? formText(body) : JSON.stringify(body);
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

function formText(body: JsonValue): string {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new YagateError("INVALID_ARGUMENTS", "expected body to be an object or a string, to be sent as a form");
  }
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, formValue(name, one));
  }
  return form.toString();
}

function formValue(name: string, value: JsonValue): string {
  if (typeof value !== "object") return String(value);
  if (value === null) return "";
  throw new YagateError("INVALID_ARGUMENTS", `expected body.${name} to be plain: a form holds no objects`);
}
