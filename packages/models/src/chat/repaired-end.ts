/** OpenAI's names for the finish reasons that other servers use. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ["stop", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["completed", "stop"],
  ["length", "length"],
  ["max_length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["tool_call", "tool_calls"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
]);

/**
 * Parses a finish reason and returns OpenAI's name for it if there is one, otherwise the reason unchanged; null if the
 * reason is missing.
 */
export function readEnd(value: unknown): string | null {
  if (typeof value !== "string" || value.trim() === "") return null;
  return ENDS.get(value.trim().toLowerCase()) ?? value;
}
