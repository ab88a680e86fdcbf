/** OpenAI's words for the ends that other servers have words of their own for. */
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

/** Why an answer ended, in OpenAI's words where there is one; null where the server does not say. */
export function readEnd(value: unknown): string | null {
  if (typeof value !== "string" || value.trim() === "") return null;
  return ENDS.get(value.trim().toLowerCase()) ?? value;
}
