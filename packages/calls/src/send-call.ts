import { EgressError, type EgressGuard, type EgressRequest, type EgressResponse } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import type { CallAnswer, Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import type { RecordedMessage } from "@yagate/protocol";
import { roundedTimes } from "./exchange-record.ts";
import { gatewayFailure } from "./failure.ts";
import type { CallContext, CallExchange } from "./port.ts";

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
