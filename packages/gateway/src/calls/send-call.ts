import { EgressError, type EgressGuard, type EgressRequest, type EgressResponse } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import { defined } from "@yagate/lib/objects/defined";
import type { RecordedMessage } from "@yagate/protocol";
import { roundedTimes } from "./exchange-record.ts";
import { gatewayFailure } from "./failure.ts";
import type { CallAnswer, CallContext, CallExchange, Failure } from "./port.ts";

/** Sends one request and reads its whole response. */
type Send = EgressGuard["request"];

/** Adds one concern to a sender, as undici's interceptors do to a dispatcher. */
type SendStep = (send: Send) => Send;

/** One request of a call, and how its exchange is read and recorded. */
export interface OutgoingCall {
  readonly egress: Pick<EgressGuard, "request">;
  /** With its secrets. Nothing of it is stored. */
  readonly request: Omit<EgressRequest, "timeoutMs" | "signal" | "unsentSignal" | "beforeSend">;
  /** From DNS to the last byte of the response; at least 1. */
  readonly timeoutMs: number;
  /** On the clock of `performance.now()`: when the attempt began. */
  readonly startedAt: number;
  /** The request without secrets. */
  readonly recorded: Pick<CallExchange, "request" | "url">;
  /** Classifies the response, and records it without secrets. */
  readonly read: (
    response: EgressResponse,
  ) => Promise<{ readonly answer: CallAnswer; readonly response: RecordedMessage }>;
  /** Describes for the model why there is no response. */
  readonly describe: (error: EgressError) => Failure;
  /** Reports a defect of the gateway, for the log. */
  readonly onDefect: (error: unknown) => void;
}

/** A call that was sent, or that could not be. */
export interface SentCall {
  readonly answer: CallAnswer;
  readonly exchange: CallExchange;
  /** False: certainly no byte of it left. */
  readonly mayHaveLeft: boolean;
  /** Why there is no response. Undefined for a response, whatever it says, and for a defect of the gateway. */
  readonly error?: EgressError;
}

/**
 * Sends the request of a call, whatever the kind of its tool: within its bounds, unless `beforeSend` vetoes it, and
 * recorded with its timing. Rejects only with the error of `beforeSend`.
 */
export async function sendCall(call: OutgoingCall, context: CallBounds): Promise<SentCall> {
  const { egress, request, timeoutMs, recorded, read } = call;
  let mayHaveLeft = false;
  const beforeSend = () => {
    mayHaveLeft = true;
  };
  const send = compose((sent) => egress.request(sent), [cancellable(context), vetoable(context)]);
  try {
    const received = await send({ ...request, timeoutMs, beforeSend });
    const { answer, response } = await read(received);
    const { status: httpStatus, durationMs, timings, requestBytes, responseBytes } = received;
    const sizes = { requestBytes, responseBytes };
    const exchange = { ...roundedTimes(durationMs, timings), httpStatus, ...sizes, ...recorded, response };
    return { answer, exchange, mayHaveLeft };
  } catch (error) {
    if (error instanceof Veto) throw error.cause;
    return failedCall(call, error, mayHaveLeft);
  }
}

type CallBounds = Pick<CallContext, "signal" | "unsentSignal" | "beforeSend">;

/** Wraps a sender in steps, the first of them outermost. */
function compose(send: Send, steps: readonly SendStep[]): Send {
  return steps.reduceRight((inner, step) => step(inner), send);
}

function cancellable({ signal, unsentSignal }: CallBounds): SendStep {
  return (send) => (request) => send({ ...request, signal, ...defined({ unsentSignal }) });
}

/** Marks the error of a veto, which may look like one of the network. */
class Veto extends Error {}

function vetoable({ beforeSend }: CallBounds): SendStep {
  return (send) => async (request) => {
    let veto: Veto | undefined;
    const askBeforeSend = () => {
      try {
        beforeSend();
      } catch (cause) {
        veto = new Veto("the request was vetoed", { cause });
        throw veto;
      }
      request.beforeSend?.();
    };
    try {
      return await send({ ...request, beforeSend: askBeforeSend });
    } catch (error) {
      throw veto ?? error;
    }
  };
}

/** @param mayHaveLeft - for a defect of the gateway; an EgressError knows it itself. */
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
  const failure = gatewayFailure("INTERNAL", "the call failed for a reason inside the gateway", { outcome });
  const exchange = { ...roundedTimes(durationMs, NO_TIMINGS), ...unansweredSizes(recorded, mayHaveLeft) };
  return { answer: { failure }, exchange, mayHaveLeft };
}

function unansweredSizes(recorded: OutgoingCall["recorded"], mayHaveLeft: boolean) {
  const requestBytes = mayHaveLeft ? recorded.request.bodyBytes : 0;
  return { requestBytes, responseBytes: 0, ...recorded, response: null };
}
