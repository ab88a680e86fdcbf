import type { EgressError } from "@yagate/egress";
import type { CallAnswer } from "../../calls/port.ts";
import type { EndpointVerdict } from "./circuit-breaker.ts";

/** What an answer's status says of its endpoint. */
export function verdictOfStatus(status: number): EndpointVerdict {
  return status === 429 || (status >= 500 && status < 600) ? "failing" : "working";
}

/**
 * What an answer says of its endpoint: its status does, whatever else is in it. Only a 5xx whose own error says that no
 * repetition helps is no reason to wait: the call ends with it, and calls after it should be told the same.
 */
export function verdictOfAnswer(status: number, answer: CallAnswer): EndpointVerdict {
  const isPermanent = "failure" in answer && answer.failure.source === "handler" && !answer.failure.isRetryable;
  return status >= 500 && isPermanent ? "nothing" : verdictOfStatus(status);
}

/**
 * What a request without a usable answer says of its endpoint.
 *
 * @param hadFullTime - whether the attempt could take as long as its tool may: a caller in a hurry proves nothing.
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
