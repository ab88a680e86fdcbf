import type { EgressError } from "@yagate/egress";
import { gatewayFailure } from "./failure.ts";
import type { Failure } from "./port.ts";

/** Who was called: the author's webhook, whose URL the model does not know, or a service whose URL it may have written. */
export type Callee = "webhook" | "service";

/** What the model reads about a failed request. No text says which addresses a name has, or whether a port is open. */
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
    lost: "the connection to the tool's service was lost before its answer was complete",
    unreachable: "the connection to the tool's service could not be made",
    untrusted: "the tool's service could not prove who it is",
    tooLarge: "the tool's answer is larger than allowed",
    undecodable: "the tool's answer can't be used: it is not encoded as it says",
    redirects: "the tool's service redirects instead of answering",
  },
  service: {
    lost: "the connection to the service was lost before its answer was complete",
    unreachable: "the connection to the service could not be made",
    untrusted: "the service could not prove who it is",
    tooLarge: "the answer is larger than allowed",
    undecodable: "the answer can't be used: it is not encoded as it says",
    redirects: "the service redirects instead of answering",
  },
};

/**
 * The failure of a call whose request has no response.
 *
 * @param limitMs - the time that the attempt had.
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
      return gatewayFailure(code, `the tool did not answer within ${limitMs} ms`, known);
    case "NETWORK_ERROR":
      return gatewayFailure(code, bytesMayHaveLeft ? texts.lost : texts.unreachable, known);
    case "TLS_ERROR":
      return gatewayFailure(code, texts.untrusted, known);
    case "URL_BLOCKED":
      // The author of a URL learns nothing new from the reason why its text is refused, and can write another one.
      return gatewayFailure(code, callee === "webhook" ? BLOCKED_WEBHOOK : error.message, known);
    case "DNS_BLOCKED":
      // A name server that did not respond may do so next time; a blocked destination stays blocked.
      return gatewayFailure(code, error.message, { ...known, isRetryable: isTemporary });
    case "RESPONSE_TOO_LARGE":
      return gatewayFailure(code, texts.tooLarge, known);
    case "INVALID_RESPONSE":
      return gatewayFailure(code, texts.undecodable, known);
    case "REDIRECT_REFUSED":
      return gatewayFailure(code, texts.redirects, known);
    case "CANCELLED":
      return gatewayFailure(code, "the call was cancelled before the tool answered", known);
    case "INVALID_ARGUMENTS":
      // The gateway writes the request of a webhook, the model that of a service.
      return callee === "webhook"
        ? gatewayFailure("INTERNAL", "the call could not be sent for a reason inside the gateway", known)
        : gatewayFailure(code, error.message, { outcome: "none", developerMessage });
  }
}

const BLOCKED_WEBHOOK = "calls to the tool's URL are not allowed";
