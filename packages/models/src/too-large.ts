import { ModelTurnError } from "./port.ts";

/** @param expected - the limit that the answer is past, as `10 pieces`. */
export function tooLarge(provider: string, expected: string): ModelTurnError {
  const message = `the answer of ${provider} is too large: expected at most ${expected}; it was not read to its end`;
  return new ModelTurnError("MODEL_ERROR", message);
}
