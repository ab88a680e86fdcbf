import type { ExecutionConfig } from "./execution-config.ts";
import { type CallState, type ExecutionState, isClosed } from "./state.ts";

/**
 * Which of the execution's calls of primitives a call is, 1 for the first, in the order in which the model asked for
 * them; undefined: it is none. Calls that were refused before any attempt don't count.
 */
export function primitiveOrdinalOf(
  state: ExecutionState,
  { id }: CallState,
  config: ExecutionConfig,
): number | undefined {
  const calls = state.turns.flatMap((turn) => turn.calls).filter((call) => isCounted(call, config));
  const index = calls.findIndex((call) => call.id === id);
  return index === -1 ? undefined : index + 1;
}

function isCounted(call: CallState, config: ExecutionConfig): boolean {
  return config.tools.get(call.name)?.isPrimitive === true && (call.attempts.length > 0 || !isClosed(call));
}
