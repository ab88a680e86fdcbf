import { YagateError } from "@yagate/protocol";

/** Something answered that is no gateway, or one of a version that this client does not understand. */
export function incompatibleAnswer(message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_RESPONSE", message, {
    hint: "check that baseUrl names a Yagate gateway, and that its version fits this client's",
    cause,
  });
}
