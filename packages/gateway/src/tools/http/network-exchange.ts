import type { EgressError, EgressResponse } from "@yagate/egress";
import { recordMessage, recordResponse } from "../../calls/exchange-record.ts";
import { roundedTimes, unsentReport } from "../../webhooks/send/attempt-report.ts";
import type { ToolExchange, ToolFailure } from "../port.ts";
import type { WireRequest } from "./wire-request.ts";

/**
 * The record of an attempt that was answered.
 *
 * @param response - its headers without secrets.
 * @param text - its body without secrets.
 */
export function answeredExchange(shown: WireRequest, response: EgressResponse, text: string): ToolExchange {
  const { status, durationMs, timings, requestBytes, responseBytes } = response;
  return {
    ...roundedTimes(durationMs, timings),
    httpStatus: status,
    requestBytes,
    responseBytes,
    url: shown.url,
    request: recordOf(shown),
    response: recordResponse(response, text, (value) => value),
  };
}

/** The record of an attempt to which no whole answer came. */
export function unansweredExchange(
  shown: WireRequest,
  { bytesMayHaveLeft, timings, answerStatus }: Pick<EgressError, "bytesMayHaveLeft" | "timings" | "answerStatus">,
  durationMs: number,
): ToolExchange {
  const request = recordOf(shown);
  return {
    ...roundedTimes(durationMs, timings),
    ...(answerStatus === undefined ? {} : { httpStatus: answerStatus }),
    requestBytes: bytesMayHaveLeft ? request.bodyBytes : 0,
    responseBytes: 0,
    url: shown.url,
    request,
    response: null,
  };
}

/** The record of an attempt that was refused, so that there is no request of it. */
export function unsentExchange(failure: ToolFailure, durationMs: number): ToolExchange {
  const { answer: _answer, ...exchange } = unsentReport(failure, durationMs);
  return exchange;
}

function recordOf({ headers, body = "" }: WireRequest) {
  return recordMessage({ ...headers }, body, Buffer.byteLength(body));
}
