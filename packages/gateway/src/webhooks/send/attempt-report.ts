import type { EgressResponse } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import type { Timings } from "@yagate/protocol";
import { NOTHING_SENT, recordRequest, recordResponse } from "../../calls/exchange-record.ts";
import type { AttemptFailure, AttemptReport } from "../port.ts";
import { redactSecrets } from "../request/redact-secrets.ts";
import type { SignedCall } from "../request/signed-call.ts";

/** The report of an attempt that was answered. */
export function respondedReport(answered: {
  readonly answer: AttemptReport["answer"];
  readonly call: SignedCall;
  readonly response: EgressResponse;
  /** The answer's body, redacted. */
  readonly text: string;
  readonly secrets: readonly string[];
}): AttemptReport {
  const { answer, call, response, text, secrets } = answered;
  const { status, durationMs, timings, requestBytes, responseBytes } = response;
  return {
    answer,
    ...roundedTimes(durationMs, timings),
    httpStatus: status,
    requestBytes,
    responseBytes,
    request: recordRequest(call),
    response: recordResponse(response, text, (value) => redactSecrets(value, secrets)),
  };
}

/** The report of an attempt to which no whole answer came. */
export function unansweredReport(unanswered: {
  readonly failure: AttemptFailure;
  readonly call: SignedCall;
  readonly mayHaveLeft: boolean;
  /** Of an answer that was not read to its end. */
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly timings: Timings;
}): AttemptReport {
  const { failure, call, mayHaveLeft, status, durationMs, timings } = unanswered;
  return {
    answer: { failure },
    ...roundedTimes(durationMs, timings),
    ...(status === undefined ? {} : { httpStatus: status }),
    requestBytes: mayHaveLeft ? call.body.byteLength : 0,
    responseBytes: 0,
    request: recordRequest(call),
    response: null,
  };
}

/** The report of an attempt that there is no request of. */
export function unsentReport(failure: AttemptFailure, durationMs: number): AttemptReport {
  return {
    answer: { failure },
    ...roundedTimes(durationMs, NO_TIMINGS),
    requestBytes: 0,
    responseBytes: 0,
    request: NOTHING_SENT,
    response: null,
  };
}

/** What the record says of how long an attempt and its steps took, in ms. */
export function roundedTimes(durationMs: number, { dns, connect, tls, firstByte }: Timings) {
  const timings = {
    dns: roundedMs(dns),
    connect: roundedMs(connect),
    tls: roundedMs(tls),
    firstByte: roundedMs(firstByte),
  };
  return { durationMs: roundedMs(durationMs), timings };
}

/** Hundredths: what the clock says beyond them tells nobody anything. */
function roundedMs<Ms extends number | null>(ms: Ms): Ms | number {
  return ms === null ? ms : Math.round(ms * 100) / 100;
}
