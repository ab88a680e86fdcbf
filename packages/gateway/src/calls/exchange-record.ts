import type { EgressResponse } from "@yagate/egress";
import { type RecordedMessage, SIGNATURE_HEADER, STANDARD_WEBHOOK_HEADERS } from "@yagate/protocol";
import { CALL_HEADERS } from "../webhooks/request/call-headers.ts";
import { REDACTED } from "../webhooks/request/redact-secrets.ts";
import type { SignedCall } from "../webhooks/request/signed-call.ts";
import { headerOf } from "./header.ts";

/** How much of a body is kept. */
const MAX_RECORDED_BODY_BYTES = 65_536;

/** In lower case, as answers have them. */
const REDACTED_HEADERS: ReadonlySet<string> = new Set([
  SIGNATURE_HEADER,
  STANDARD_WEBHOOK_HEADERS.signature,
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
]);

/** The record of an attempt that never got so far as to have a request. */
export const NOTHING_SENT: RecordedMessage = { headers: {}, body: "", bodyBytes: 0, isTruncated: false };

/** The record of a signed call: whoever had its signatures could send it again, and with its token answer it. */
export function recordRequest({ headers, text, body, callbackToken }: SignedCall): RecordedMessage {
  const shown = { ...headers, [CALL_HEADERS.signature]: REDACTED, [CALL_HEADERS.webhookSignature]: REDACTED };
  const readable = callbackToken === undefined ? text : text.replaceAll(callbackToken, REDACTED);
  return recordMessage(shown, readable, body.byteLength);
}

/**
 * The record of an answer: its headers without credentials and signatures.
 *
 * @param text - the body without secrets.
 * @param redact - takes secrets out of the values of the headers too.
 */
export function recordResponse(
  { headers, body }: Pick<EgressResponse, "headers" | "body">,
  text: string,
  redact: (text: string) => string,
): RecordedMessage {
  const shown: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headerOf(headers, name) ?? "";
    shown[name] = REDACTED_HEADERS.has(name) ? REDACTED : redact(value);
  }
  return recordMessage(shown, text, body.byteLength);
}

/**
 * The record of a message that holds nothing secret.
 *
 * @param bodyBytes - the size of the whole body, of which `text` is what may be kept.
 */
export function recordMessage(headers: RecordedMessage["headers"], text: string, bodyBytes: number): RecordedMessage {
  const isTruncated = bodyBytes > MAX_RECORDED_BODY_BYTES;
  return { headers, body: isTruncated ? startOf(text) : text, bodyBytes, isTruncated };
}

function startOf(text: string): string {
  const bytes = Buffer.from(text.slice(0, MAX_RECORDED_BODY_BYTES));
  // As a stream, so that a character that the cut goes through is left out instead of replaced.
  return new TextDecoder().decode(bytes.subarray(0, MAX_RECORDED_BODY_BYTES), { stream: true });
}
