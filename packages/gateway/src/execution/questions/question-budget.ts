import { addCosts, NO_COST } from "../machine/cost.ts";
import { type ExecutionState, remainingWallMs } from "../machine/state.ts";
import type { OpenCall } from "./open-call.ts";

/**
 * Why no tool of this execution may ask its model now; undefined: it may. What is on its way counts with what it may cost
 * at most, and so does the question itself: the limit holds before anything is sent, where the model has a price.
 *
 * @param open - calls that are under way, whose questions the state does not know yet.
 * @param now - ms since the epoch.
 * @param mostUsd - what the question costs at most; 0 where nobody knows.
 */
export function budgetProblem(
  state: ExecutionState,
  open: readonly OpenCall[],
  now: number,
  mostUsd: number,
): string | undefined {
  if (state.isCancelRequested) return "the execution was cancelled";
  if (state.limitReached !== null) return state.limitReached.message;
  if (remainingWallMs(state, now) <= 0) return `the time limit of ${state.limits.maxWallTimeMs} ms was reached`;
  const { maxToolCostUsd } = state.limits;
  if (maxToolCostUsd === null) return undefined;
  const ended = state.turns.flatMap(({ calls }) => calls.map(({ cost }) => cost));
  const spent = [...ended, ...open.map((call) => call.cost)].reduce(addCosts, NO_COST);
  const reserved = open.reduce((sum, { reservedUsd }) => sum + reservedUsd, 0);
  if (spent.usd >= maxToolCostUsd) return `the tools' cost has used up the limit of ${maxToolCostUsd} USD`;
  return spent.usd + reserved + mostUsd <= maxToolCostUsd
    ? undefined
    : `what it may cost would exceed what is left of the limit of ${maxToolCostUsd} USD`;
}
