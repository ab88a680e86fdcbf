import { YagateError } from "@yagate/protocol";

/** Creates the error for an idempotency key that was used with a different body. */
export function keyConflict(): YagateError {
  return new YagateError("CONFLICT", "this idempotency key was used with a different body: use a new key");
}
