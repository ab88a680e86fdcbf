/** OpenAI's names for other servers' finish reasons. */
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

/** The finish reason, by OpenAI's name where there is one; null if it is missing. */
export function readEnd(value: unknown): string | null {
  if (typeof value !== "string" || value.trim() === "") return null;
  return ENDS.get(value.trim().toLowerCase()) ?? value;
}
