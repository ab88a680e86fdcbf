import { addCosts, NO_COST } from "../machine/cost.ts";
import { type ExecutionState, remainingWallMs } from "../machine/state.ts";
import type { OpenCall } from "./open-call.ts";

/**
 * Why no tool of this execution may ask its model now; undefined: it may. The limit of cost is used up when it is
 * reached, since every further question would pass it.
 *
 * @param open - calls that are under way, whose questions the state does not know yet.
 * @param now - ms since the epoch.
 */
export function budgetProblem(state: ExecutionState, open: readonly OpenCall[], now: number): string | undefined {
  if (state.isCancelRequested) return "the execution was cancelled";
  if (state.limitReached !== null) return state.limitReached.message;
  if (remainingWallMs(state, now) <= 0) return `the time limit of ${state.limits.maxWallTimeMs} ms was reached`;
  const { maxToolCostUsd } = state.limits;
  if (maxToolCostUsd === null) return undefined;
  const ended = state.turns.flatMap(({ calls }) => calls.map(({ cost }) => cost));
  const spent = [...ended, ...open.map((call) => call.cost)].reduce(addCosts, NO_COST);
  return spent.usd < maxToolCostUsd ? undefined : `the tools' cost has used up the limit of ${maxToolCostUsd} USD`;
}
