import type { EgressResponse } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import { type RecordedMessage, SIGNATURE_HEADER, STANDARD_WEBHOOK_HEADERS, type Timings } from "@yagate/protocol";
import type { CallExchange, Failure, ToolOutcome } from "./port.ts";
import { headerOf } from "./read-response.ts";

/** Stands in place of a secret in a record. */
export const REDACTED = "[redacted]";

/** How much of a body is kept. */
const MAX_RECORDED_BODY_BYTES = 65_536;

/** In lower case, as responses have them. */
const REDACTED_HEADERS: ReadonlySet<string> = new Set([
  SIGNATURE_HEADER,
  STANDARD_WEBHOOK_HEADERS.signature,
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
]);

const NOTHING_SENT: RecordedMessage = { headers: {}, body: "", bodyBytes: 0, isTruncated: false };

/** The outcome of an attempt that has no request. */
export function unsentOutcome(failure: Failure, durationMs: number): ToolOutcome {
  const nothing = { requestBytes: 0, responseBytes: 0, request: NOTHING_SENT, response: null };
  const exchange = { ...roundedTimes(durationMs, NO_TIMINGS), ...nothing };
  return { answer: { failure }, cost: { usd: 0, credits: 0 }, exchange };
}

/**
 * The record of a response: its headers without credentials and signatures.
 *
 * @param text - the body without secrets.
 * @param redact - removes secrets from the values of the headers; default: they hold none.
 */
export function recordResponse(
  { headers, body }: Pick<EgressResponse, "headers" | "body">,
  text: string,
  redact: (text: string) => string = (value) => value,
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
 * @param bodyBytes - the size of the whole body, of which `text` may be kept.
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

/** The durations of an attempt and of its steps as the record has them: hundredths of a ms. */
export function roundedTimes(
  durationMs: number,
  { dns, connect, tls, firstByte }: Timings,
): Pick<CallExchange, "durationMs" | "timings"> {
  const timings = {
    dns: roundedMs(dns),
    connect: roundedMs(connect),
    tls: roundedMs(tls),
    firstByte: roundedMs(firstByte),
  };
  return { durationMs: roundedMs(durationMs), timings };
}

/** More digits mean nothing on this clock. */
function roundedMs<Ms extends number | null>(ms: Ms): Ms | number {
  return ms === null ? ms : Math.round(ms * 100) / 100;
}
