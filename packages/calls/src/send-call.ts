import { EgressError, type EgressGuard, type EgressRequest, type EgressResponse } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import type { CallAnswer, Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import { type RecordedMessage, SIGNATURE_HEADER, STANDARD_WEBHOOK_HEADERS, type Timings } from "@yagate/protocol";
import { gatewayFailure } from "./failure.ts";
import type { CallContext, CallExchange, ToolOutcome } from "./port.ts";
import { headerOf } from "./read-response.ts";

/** One request of a call, with the functions that read and record its exchange. */
export interface OutgoingCall {
  readonly egress: Pick<EgressGuard, "request">;
  /** Builds the request, with these bounds and with its secrets. No part of it is stored. */
  readonly request: (bounds: RequestBounds) => EgressRequest;
  /** Time limit in ms from the DNS lookup to the last byte of the response; at least 1. */
  readonly timeoutMs: number;
  /** Start of the attempt, on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** The request without secrets. */
  readonly recorded: Pick<CallExchange, "request" | "url">;
  /** Classifies the response and records it without secrets. */
  readonly read: (response: EgressResponse) => ReadResponse | Promise<ReadResponse>;
  /** Describes for the model why there is no response. */
  readonly describe: (error: EgressError) => Failure;
  /** Logs an error in the gateway itself. */
  readonly onDefect: (error: unknown) => void;
}

/** What a response says, and its record. */
export interface ReadResponse {
  readonly answer: CallAnswer;
  readonly response: RecordedMessage;
}

/** What limits a request: its time limit, what cancels it, and the check before it is sent. */
export type RequestBounds = Pick<EgressRequest, "timeoutMs" | "signal" | "unsentSignal" | "beforeSend">;

/** The outcome of sending a call, whether or not it was sent. */
export interface SentCall {
  readonly answer: CallAnswer;
  readonly exchange: CallExchange;
  /** False if it is certain that no byte of the request was sent. */
  readonly mayHaveLeft: boolean;
  /**
   * The reason why there is no response. Undefined if there is one, whatever its status, or after an error in the
   * gateway itself.
   */
  readonly error?: EgressError;
}

/**
 * Sends the request of a call to any kind of tool. Applies the call's bounds, lets `beforeSend` veto the request, and
 * records the exchange with its timings. Rejects only with the error of `beforeSend`.
 */
export async function sendCall(call: OutgoingCall, context: CallBounds): Promise<SentCall> {
  const { timeoutMs, recorded } = call;
  const { signal, unsentSignal } = context;
  let mayHaveLeft = false;
  let veto: Veto | undefined;
  const beforeSend = () => {
    try {
      context.beforeSend();
    } catch (cause) {
      veto = new Veto("the request was vetoed", { cause });
      throw veto;
    }
    mayHaveLeft = true;
  };
  const bounds = { timeoutMs, signal, beforeSend };
  try {
    const received = await call.egress.request(
      call.request(unsentSignal === undefined ? bounds : { timeoutMs, signal, beforeSend, unsentSignal }),
    );
    const read = call.read(received);
    const { answer, response } = read instanceof Promise ? await read : read;
    const { status: httpStatus, requestBytes, responseBytes } = received;
    const times = roundedTimes(received.durationMs, received.timings);
    const exchange = { ...times, httpStatus, requestBytes, responseBytes, request: recorded.request, response };
    const { url } = recorded;
    return { answer, exchange: url === undefined ? exchange : { ...exchange, url }, mayHaveLeft };
  } catch (error) {
    if (veto !== undefined) throw veto.cause;
    return failedCall(call, error, mayHaveLeft);
  }
}

type CallBounds = Pick<CallContext, "signal" | "unsentSignal" | "beforeSend">;

/** Marks the error of a veto, because the error itself may look like a network error. */
class Veto extends Error {}

/**
 * Returns the outcome of a call that failed with an error.
 * @param mayHaveLeft - used after an error in the gateway itself; an EgressError has its own flag.
 */
function failedCall(call: OutgoingCall, error: unknown, mayHaveLeft: boolean): SentCall {
  const { recorded, startedAt } = call;
  const durationMs = performance.now() - startedAt;
  if (error instanceof EgressError) {
    const { bytesMayHaveLeft, timings, answerStatus: httpStatus } = error;
    const exchange = {
      ...roundedTimes(durationMs, timings),
      ...defined({ httpStatus }),
      ...unansweredSizes(recorded, bytesMayHaveLeft),
    };
    return { answer: { failure: call.describe(error) }, exchange, mayHaveLeft: bytesMayHaveLeft, error };
  }
  call.onDefect(error);
  const outcome = mayHaveLeft ? "unknown" : "none";
  const failure = gatewayFailure("INTERNAL", "the call failed because of an internal error of the gateway", {
    outcome,
  });
  const exchange = { ...roundedTimes(durationMs, NO_TIMINGS), ...unansweredSizes(recorded, mayHaveLeft) };
  return { answer: { failure }, exchange, mayHaveLeft };
}

function unansweredSizes(recorded: OutgoingCall["recorded"], mayHaveLeft: boolean) {
  const requestBytes = mayHaveLeft ? recorded.request.bodyBytes : 0;
  return { requestBytes, responseBytes: 0, ...recorded, response: null };
}

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
