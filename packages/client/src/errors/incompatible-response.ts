import { YagateError } from "@yagate/protocol";

/**
 * Creates the error for a response that did not come from a gateway, or came from a version that this client does not
 * understand.
 */
export function incompatibleResponse(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_RESPONSE", message, {
    hint: "check that baseUrl is the address of a Yagate gateway, and that this client supports the gateway's version",
    cause,
  });
}
