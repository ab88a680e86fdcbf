import { YagateError } from "@yagate/protocol";

/** The response did not come from a gateway, or came from a version that this client does not understand. */
export function incompatibleResponse(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_RESPONSE", message, {
    hint: "check that baseUrl names a Yagate gateway, and that this client supports its version",
    cause,
  });
}
