import { ERROR_TABLE } from "@yagate/protocol";
import { EgressError, type EgressErrorCode } from "./egress-error.ts";

/** How to report a raw error. */
export interface EgressFailure {
  readonly code: EgressErrorCode;
  readonly message: string;
  readonly reason: string;
  readonly isTemporary: boolean;
}

const LOST = "the connection failed before the response was complete";

const MEANINGS: Readonly<Record<string, readonly [EgressErrorCode, string]>> = {
  UND_ERR_HEADERS_OVERFLOW: ["RESPONSE_TOO_LARGE", "the headers of the response exceed the size limit"],
  UND_ERR_HEADERS_TIMEOUT: ["TIMEOUT", "the service did not respond in time"],
  UND_ERR_BODY_TIMEOUT: ["TIMEOUT", "the service did not respond in time"],
  UND_ERR_INVALID_ARG: ["INVALID_ARGUMENTS", "the request is not valid HTTP"],
};

/**
 * Converts an error from undici, Node or the connector.
 *
 * @param wasWritten - whether the request was assigned to a connection.
 */
export function toEgressFailure(error: unknown, wasWritten: boolean): EgressFailure {
  if (error instanceof EgressError) {
    return error;
  }
  const rawCode = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = `${rawCode}: ${error instanceof Error ? error.message : String(error)}`;
  const [code, message] = MEANINGS[rawCode] ?? [
    // A server that requires a client certificate reports this only after the first bytes have been sent.
    /^ERR_(?:SSL|TLS)_/.test(rawCode) ? "TLS_ERROR" : "NETWORK_ERROR",
    wasWritten ? LOST : "the service could not be reached",
  ];
  return { code, message, reason, isTemporary: ERROR_TABLE[code].isTransient };
}
