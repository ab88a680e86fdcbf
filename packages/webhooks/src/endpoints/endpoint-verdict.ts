import type { EgressError } from "@yagate/egress";
import type { CallAnswer } from "@yagate/execution-machine/call-outcome";
import type { EndpointVerdict } from "./circuit-breaker.ts";

/** Returns the verdict on an endpoint for the status of its response. */
export function verdictOfStatus(status: number): EndpointVerdict {
  return status === 429 || (status >= 500 && status < 600) ? "failing" : "working";
}

/**
 * Returns the verdict on an endpoint for its response. The status decides, except for a 5xx whose own error is not
 * retryable: the call ends with that error, and later calls should get the same response without delay.
 */
export function verdictOfAnswer(status: number, answer: CallAnswer): EndpointVerdict {
  const isPermanent = "failure" in answer && answer.failure.source === "handler" && !answer.failure.isRetryable;
  return status >= 500 && isPermanent ? "nothing" : verdictOfStatus(status);
}

/**
 * Returns the verdict on an endpoint for a request without a usable response.
 *
 * @param hadFullTime - whether the attempt had the full timeout of its tool; a timeout after less time proves nothing.
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
