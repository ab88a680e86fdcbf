import { wakeAt } from "../machine/effects.ts";
import type { ExecutionConfig } from "../machine/execution-config.ts";
import { isFarOff } from "../machine/far-off.ts";
import type { ExecutionState } from "../machine/state.ts";

/** Until when an execution only waits, if that is long: then nothing of it need stay in memory. ms since the epoch. */
export function suspendUntil(state: ExecutionState, config: ExecutionConfig, now: number): number | undefined {
  if (state.status !== "waiting") return undefined;
  const at = wakeAt(state, config, now);
  return at !== undefined && isFarOff(at, now) ? at : undefined;
}
