import type { EgressError } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { ERROR_TABLE, type ErrorCode } from "@yagate/protocol";

/** Creates a failure with one of the gateway's own codes. `isRetryable` defaults to the value in `ERROR_TABLE`. */
export function gatewayFailure(
  code: ErrorCode,
  message: string,
  details: Pick<Failure, "outcome"> & Partial<Omit<Failure, "code" | "message" | "source">>,
): Failure {
  return { code, message, source: "gateway", isRetryable: ERROR_TABLE[code].isRetryable, ...details };
}

/** Creates the failure of a call if no byte of its request was sent. The hint tells the model what to do next. */
export function unsentFailure(
  code: ErrorCode,
  message: string,
  more: Partial<Pick<Failure, "hint" | "retryAfterMs" | "isRetryable" | "developerMessage">> = {},
): Failure {
  return gatewayFailure(code, message, { outcome: "none", ...more });
}

/** Returns a decision not to send a call, with its reason. */
export function refused(...failure: Parameters<typeof unsentFailure>): { readonly failure: Failure } {
  return { failure: unsentFailure(...failure) };
}

export const NOT_AS_APPROVED = unsentFailure(
  "POLICY_DENIED",
  "the request is no longer the one that was approved; nothing was sent",
  { hint: "if the call is still needed, make it again: a person will then decide on the new request" },
);
export const CANCELLED_UNSENT = unsentFailure("CANCELLED", "the call was cancelled before it was sent");
export const OUT_OF_TIME = unsentFailure("TIMEOUT", "there was no time left to call the tool");

/** Thrown when the endpoint has no free concurrency slot and its queue is full. Nothing was sent. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/**
 * The kind of callee: a webhook, whose URL the author configured and the model does not know, or a service whose URL
 * the model may have written.
 */
type Callee = "webhook" | "service";

/**
 * The messages that the model reads about failed requests. None reveals which addresses a name has or whether a port is
 * open.
 */
interface ModelTexts {
  readonly lost: string;
  readonly unreachable: string;
  readonly untrusted: string;
  readonly tooLarge: string;
  readonly undecodable: string;
  readonly redirects: string;
}

const TEXTS: Readonly<Record<Callee, ModelTexts>> = {
  webhook: {
    lost: "the connection to the tool's service was lost before its response was complete",
    unreachable: "the connection to the tool's service could not be established",
    untrusted: "the tool's service could not prove its identity",
    tooLarge: "the tool's response is larger than allowed",
    undecodable: "the tool's response can't be used: it is not in its declared encoding",
    redirects: "the tool's service responded with a redirect",
  },
  service: {
    lost: "the connection to the service was lost before its response was complete",
    unreachable: "the connection to the service could not be established",
    untrusted: "the service could not prove its identity",
    tooLarge: "the response is larger than allowed",
    undecodable: "the response can't be used: it is not in its declared encoding",
    redirects: "the service responded with a redirect",
  },
};

/**
 * Returns the failure of a call whose request received no usable response.
 *
 * @param limitMs - the time limit of the attempt.
 * @param redact - removes secrets from the reason, which is stored for the developer.
 */
export function egressFailure(
  error: EgressError,
  callee: Callee,
  { limitMs, redact }: { readonly limitMs: number; readonly redact?: (text: string) => string },
): Failure {
  const { code, reason, bytesMayHaveLeft, isTemporary } = error;
  const developerMessage = redact === undefined ? reason : redact(reason);
  const known = { outcome: bytesMayHaveLeft ? "unknown" : "none", developerMessage } as const;
  const texts = TEXTS[callee];
  switch (code) {
    case "TIMEOUT":
      return gatewayFailure(code, `the tool did not respond within ${limitMs} ms`, known);
    case "NETWORK_ERROR":
      return gatewayFailure(code, bytesMayHaveLeft ? texts.lost : texts.unreachable, known);
    case "TLS_ERROR":
      return gatewayFailure(code, texts.untrusted, known);
    case "URL_BLOCKED":
      // A service's URL may come from the model. The reason why it is blocked reveals nothing new to the model, and lets
      // the model write a different URL.
      return gatewayFailure(code, callee === "webhook" ? BLOCKED_WEBHOOK : error.message, known);
    case "DNS_BLOCKED":
      // A name server that did not respond may respond next time; a blocked destination stays blocked.
      return gatewayFailure(code, error.message, { ...known, isRetryable: isTemporary });
    case "RESPONSE_TOO_LARGE":
      return gatewayFailure(code, texts.tooLarge, known);
    case "INVALID_RESPONSE":
      return gatewayFailure(code, texts.undecodable, known);
    case "REDIRECT_REFUSED":
      return gatewayFailure(code, texts.redirects, known);
    case "CANCELLED":
      return gatewayFailure(code, "the call was cancelled before the tool responded", known);
    case "INVALID_ARGUMENTS":
      // The gateway writes the request to a webhook, and the model writes the request to a service.
      return callee === "webhook"
        ? gatewayFailure("INTERNAL", "the call could not be sent because of an internal error of the gateway", known)
        : gatewayFailure(code, error.message, { outcome: "none", developerMessage });
  }
}

const BLOCKED_WEBHOOK = "calls to the tool's URL are not allowed";
