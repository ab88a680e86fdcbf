import { YagateError } from "@yagate/protocol";

/**
 * Creates the error for a response that did not come from a gateway, or that came from a gateway whose version this
 * client does not support.
 */
export function incompatibleResponse(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_RESPONSE", message, {
    hint: "check that baseUrl is the address of a Yagate gateway, and that this client supports the gateway's version",
    cause,
  });
}
