import type { ExecutionEvent } from "@yagate/protocol";
import type { ExecutionState } from "./state.ts";
import { WorkingState } from "./working-state.ts";

/**
 * Returns the state after one more event. The state depends on the events alone: folding the same log always gives the
 * same state.
 */
export function fold(state: ExecutionState, event: ExecutionEvent): ExecutionState {
  const working = new WorkingState(state);
  working.take(event);
  return working.state;
}
