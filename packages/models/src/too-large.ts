import { ModelTurnError } from "./port.ts";

/**
 * Creates the error for a response that exceeds a limit.
 *
 * @param expected - the exceeded limit, such as `10 chunks`.
 */
export function tooLarge(provider: string, expected: string): ModelTurnError {
  const message = `the response from ${provider} is too large: expected at most ${expected}; the rest was not read`;
  return new ModelTurnError("MODEL_ERROR", message);
}
