import { gatewayFailure } from "@yagate/calls/failure";
import { headerOf, readResponseJson } from "@yagate/calls/read-response";
import type { EgressResponse } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { JsonObject, JsonValue } from "@yagate/protocol";

/**
 * Classifies a response. Its content is untrusted.
 *
 * @param response - the redacted response.
 * @param body - the redacted body.
 * @param now - ms since the epoch.
 */
export function classifyNetworkResponse(
  response: Pick<EgressResponse, "status" | "headers" | "isCut">,
  body: ResponseBody,
  now: number,
): { readonly result: JsonValue } | { readonly failure: Failure } {
  const { status, headers, isCut } = response;
  const contentType = headerOf(headers, "content-type") ?? null;
  const cut = isCut
    ? { truncated: true, keptBytes: body.keptBytes, ...totalBytes(headerOf(headers, "content-length")) }
    : {};
  if (status >= 200 && status < 300) {
    return { result: { status, contentType, body: body.value, ...cut } };
  }
  if (status >= 300 && status < 400) {
    const location = headerOf(headers, "location");
    const details = { status, location: location ?? null };
    return { failure: redirectRefused(details) };
  }
  const details = { status, contentType, body: body.value, ...cut };
  return { failure: httpFailure(status, details, parseRetryAfter(headerOf(headers, "retry-after"), now)) };
}

/**
 * Returns the full size of content that was cut, from the response's length header. The gateway never cuts encoded
 * responses, so the header states the size of the content.
 */
function totalBytes(length: string | undefined): { readonly totalBytes?: number } {
  return length !== undefined && /^\d{1,15}$/.test(length) ? { totalBytes: Number(length) } : {};
}

function redirectRefused(details: JsonObject): Failure {
  return gatewayFailure("REDIRECT_REFUSED", "the service redirects, and redirects are not followed", {
    outcome: "none",
    hint: "details.location contains the new URL; call it directly if its host is allowed",
    details,
  });
}

function httpFailure(status: number, details: JsonObject, retryAfterMs: number | undefined): Failure {
  const isRetryable = isRetryableStatus(status);
  return gatewayFailure("HANDLER_ERROR", `the service responded with HTTP ${status}`, {
    outcome: "none",
    isRetryable,
    hint: hintFor(status),
    details,
    ...(isRetryable && retryAfterMs !== undefined ? { retryAfterMs } : {}),
  });
}

function hintFor(status: number): string {
  if (status === 401 || status === 403)
    return "the service denies access; do not try to work around it, but tell the user";
  if (status === 404 || status === 410) return "the requested resource does not exist; check the path and the ids";
  if (status === 429) return "the service limits the rate of requests; reply with what you know, or retry once later";
  if (status >= 500) return "the service itself failed; continue without it, or retry once later";
  return "details.body explains what the service rejected; correct the request";
}

/** A body in the form in which a model reads it. */
interface ResponseBody {
  /** JSON as its value, other text as a string, and for any other body a string that states its size. */
  readonly value: JsonValue;
  /** The text to store in the record. */
  readonly text: string;
  /**
   * Number of bytes that `value` represents. Smaller than the size of the body if the response was cut or is not text.
   */
  readonly keptBytes: number;
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\b/i;
const CHARSET = /;\s*charset\s*=\s*"?([a-z0-9_-]+)/i;
/** Media types whose bytes are text in the declared charset, by default UTF-8. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|javascript|ecmascript|x-www-form-urlencoded|x-ndjson|yaml|x-yaml|graphql|[a-z0-9.+-]+\+xml)\b)/i;
const UTF_8: ReadonlySet<string> = new Set(["utf-8", "utf8"]);
const LATIN_1: ReadonlySet<string> = new Set(["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii", "ascii"]);

/**
 * Reads the body of a response.
 *
 * @param contentType - the content type of the response; undefined if it has none.
 * @param isCut - whether the bytes are only the beginning of the body.
 * @param redaction - removes secrets before anything else is done with the body.
 */
export async function readResponseBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  { isCut, redaction }: { readonly isCut: boolean; readonly redaction: Pick<Redaction, "body" | "json"> },
): Promise<ResponseBody> {
  if (bytes.byteLength === 0) return { value: null, text: "", keptBytes: 0 };
  const decoded = decode(bytes, contentType, isCut);
  if (decoded === undefined) {
    const value = { bytes: bytes.byteLength, note: "the body is not text and was left out" };
    return { value, text: `[${bytes.byteLength} bytes that are not text]`, keptBytes: 0 };
  }
  const text = await redaction.body(decoded, { isCut });
  const keptBytes = bytes.byteLength;
  if (!JSON_TYPE.test(contentType ?? "")) return { value: text, text, keptBytes };
  const json = isCut ? readCutJson(text) : readWhole(text);
  if (json === undefined) return { value: text, text, keptBytes };
  // Once its escapes are decoded, a string may contain a secret that was encoded in one more layer than the redaction
  // searches.
  const value = text.includes("\\") ? redaction.json(json.value) : json.value;
  return { value, text, keptBytes: isCut ? Buffer.byteLength(json.kept) : keptBytes };
}

function readWhole(text: string): ReturnType<typeof readCutJson> {
  const json = readResponseJson(text);
  return json.isReadable ? { value: json.value, kept: text } : undefined;
}

function decode(bytes: Uint8Array, contentType: string | undefined, isCut: boolean): string | undefined {
  const charset = CHARSET.exec(contentType ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  const isText = contentType === undefined || TEXT_TYPE.test(contentType) || JSON_TYPE.test(contentType);
  // A body with any other type may still be text for which its server has no type.
  const encoding = isText || UTF_8.has(charset) ? encodingOf(charset, bytes) : undefined;
  const text = encoding === undefined ? undefined : decodeAs(encoding, bytes, isCut);
  // Text does not contain NUL. If NUL occurs between characters, as in undeclared UTF-16, the redaction would not
  // recognise any secret.
  return text?.includes("\0") === true ? undefined : text;
}

/** Returns the name of an encoding for `TextDecoder`; undefined if it is not supported. */
function encodingOf(charset: string, [first, second]: Uint8Array): string | undefined {
  if (UTF_8.has(charset)) return "utf-8";
  if (LATIN_1.has(charset)) return "windows-1252";
  if (charset === "utf-16le" || charset === "utf-16be") return charset;
  if (charset !== "utf-16") return undefined;
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-16le";
}

function decodeAs(encoding: string, bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    // Decoded as a stream, so that a character at the cut is left out.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Reads the complete parts of a JSON text whose end was cut off. Leaves out the list element that contains the cut,
 * because an incomplete record can look complete.
 *
 * @returns undefined if the text is not JSON, or if the complete parts are less than half of it.
 */
export function readCutJson(text: string): { readonly value: JsonValue; readonly kept: string } | undefined {
  const open: number[] = [];
  let lists = 0;
  let end = 0;
  let openAtEnd = 0;
  const mayEndAt = (index: number) => {
    if (lists !== (open.at(-1) === CLOSE_LIST ? 1 : 0)) return;
    end = index;
    openAtEnd = open.length;
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      open.push(code === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT);
      if (code === OPEN_LIST) lists += 1;
      mayEndAt(index + 1);
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (open.pop() !== code) return undefined;
      if (code === CLOSE_LIST) lists -= 1;
      mayEndAt(index + 1);
    } else if (code === COMMA) mayEndAt(index);
  }
  if (end * 2 < text.length) return undefined;
  const kept = text.slice(0, end);
  const closing = open.slice(0, openAtEnd).slice(-MAX_OPEN).reverse();
  const json = readResponseJson(kept + String.fromCharCode(...closing));
  return json.isReadable ? { value: json.value, kept } : undefined;
}

/** More levels than a response may contain. The parser rejects a text with so many levels. */
const MAX_OPEN = 1_000;

/** Returns the index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) {
    index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return index;
}
