import type { EgressError } from "@yagate/egress";
import type { CallAnswer } from "../../calls/port.ts";
import type { EndpointVerdict } from "./circuit-breaker.ts";

/** The verdict on an endpoint by the status of its response. */
export function verdictOfStatus(status: number): EndpointVerdict {
  return status === 429 || (status >= 500 && status < 600) ? "failing" : "working";
}

/**
 * The verdict on an endpoint by its response: the status decides. A 5xx whose own error is not retryable is the
 * exception: the call ends with it, and later calls should get the same reply at once.
 */
export function verdictOfAnswer(status: number, answer: CallAnswer): EndpointVerdict {
  const isPermanent = "failure" in answer && answer.failure.source === "handler" && !answer.failure.isRetryable;
  return status >= 500 && isPermanent ? "nothing" : verdictOfStatus(status);
}

/**
 * The verdict on an endpoint by a request without a usable response.
 *
 * @param hadFullTime - whether the attempt had the whole timeout of its tool; a shorter one proves nothing.
 */
export function verdictOfError(error: EgressError, hadFullTime: boolean): EndpointVerdict {
  if (error.answerStatus !== undefined && verdictOfStatus(error.answerStatus) === "failing") return "failing";
  switch (error.code) {
    case "NETWORK_ERROR":
    case "TLS_ERROR":
      return "failing";
    case "TIMEOUT":
      return hadFullTime ? "failing" : "nothing";
    case "DNS_BLOCKED":
      return error.isTemporary ? "failing" : "nothing";
    case "RESPONSE_TOO_LARGE":
    case "INVALID_RESPONSE":
    case "REDIRECT_REFUSED":
      return "working";
    case "CANCELLED":
    case "URL_BLOCKED":
    case "INVALID_ARGUMENTS":
      return "nothing";
  }
}
