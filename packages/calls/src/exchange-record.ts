import type { EgressResponse } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { type RecordedMessage, SIGNATURE_HEADER, STANDARD_WEBHOOK_HEADERS, type Timings } from "@yagate/protocol";
import type { CallExchange, ToolOutcome } from "./port.ts";
import { headerOf } from "./read-response.ts";

/** The text that replaces a secret in a record. */
export const REDACTED = "[redacted]";

/** Maximum size of the recorded part of a body. */
const MAX_RECORDED_BODY_BYTES = 65_536;

/** Names of headers whose values are not recorded, in lower case, as they are in responses. */
const REDACTED_HEADERS: ReadonlySet<string> = new Set([
  SIGNATURE_HEADER,
  STANDARD_WEBHOOK_HEADERS.signature,
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
]);

const NOTHING_SENT: RecordedMessage = { headers: {}, body: "", bodyBytes: 0, isTruncated: false };

/** Returns the outcome of an attempt that ended before a request was made. */
export function unsentOutcome(failure: Failure, durationMs: number): ToolOutcome {
  const nothing = { requestBytes: 0, responseBytes: 0, request: NOTHING_SENT, response: null };
  const exchange = { ...roundedTimes(durationMs, NO_TIMINGS), ...nothing };
  return { answer: { failure }, cost: { usd: 0, credits: 0 }, exchange };
}

/**
 * Returns the record of a response, without credentials or signatures in its headers.
 *
 * @param text - the body without secrets.
 * @param redact - removes secrets from header values; not needed if they contain none.
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
 * Returns the record of a message that contains no secrets.
 *
 * @param bodyBytes - size of the complete body; only the beginning of `text` may be recorded.
 */
export function recordMessage(headers: RecordedMessage["headers"], text: string, bodyBytes: number): RecordedMessage {
  const isTruncated = bodyBytes > MAX_RECORDED_BODY_BYTES;
  return { headers, body: isTruncated ? startOf(text) : text, bodyBytes, isTruncated };
}

function startOf(text: string): string {
  const bytes = Buffer.from(text.slice(0, MAX_RECORDED_BODY_BYTES));
  // In stream mode, the decoder omits a character that the cut splits, instead of replacing it.
  return new TextDecoder().decode(bytes.subarray(0, MAX_RECORDED_BODY_BYTES), { stream: true });
}

/** Rounds the durations of an attempt and of its steps to hundredths of a millisecond, as in the record. */
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

/** The clock is not precise enough for more digits. */
function roundedMs<Ms extends number | null>(ms: Ms): Ms | number {
  return ms === null ? ms : Math.round(ms * 100) / 100;
}
