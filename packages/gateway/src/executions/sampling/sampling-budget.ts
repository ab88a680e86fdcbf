import { addCosts, NO_COST } from "@yagate/execution-machine/cost";
import { usedUpSpend } from "@yagate/execution-machine/limits";
import { type ExecutionState, remainingWallMs } from "@yagate/execution-machine/state";
import { addMaxSpend, type MaxSpend, type OpenCall } from "./open-sample.ts";

/**
 * Returns the reason why a tool of this execution may not call the model now; undefined if it may. Running samples and
 * the new one count as if each used its maximum, so that limits are enforced before a request is sent. Limits on cost
 * are enforced in advance only if the model has a known price.
 *
 * @param open - running calls, whose samples are not in the state yet.
 * @param now - current time in ms since the epoch.
 * @param most - the maximum that the new sample may use.
 */
export function budgetProblem(
  state: ExecutionState,
  open: readonly OpenCall[],
  now: number,
  most: MaxSpend,
): string | undefined {
  if (state.isCancelRequested) return "the execution was cancelled";
  if (state.limitReached !== null) return state.limitReached.message;
  if (remainingWallMs(state, now) <= 0) return `the time limit of ${state.limits.maxWallTimeMs} ms was reached`;
  const needed = open.reduce((sum, { reserved }) => addMaxSpend(sum, reserved), most);
  return toolCostProblem(state, open, needed.usd) ?? spendProblem(state, open, needed);
}

function toolCostProblem(state: ExecutionState, open: readonly OpenCall[], neededUsd: number): string | undefined {
  const { maxToolCostUsd } = state.limits;
  if (maxToolCostUsd === null) return undefined;
  const ended = state.turns.flatMap(({ calls }) => calls.map(({ cost }) => cost));
  const spent = [...ended, ...open.map((call) => call.cost)].reduce(addCosts, NO_COST);
  if (spent.usd >= maxToolCostUsd) return `the tools' cost has used up the limit of ${maxToolCostUsd} USD`;
  return spent.usd + neededUsd <= maxToolCostUsd ? undefined : wouldExceed(`${maxToolCostUsd} USD`);
}

function spendProblem(state: ExecutionState, open: readonly OpenCall[], needed: MaxSpend): string | undefined {
  const { maxCostUsd, maxTotalTokens } = state.limits;
  if (maxCostUsd === null && maxTotalTokens === null) return undefined;
  const cost = open.reduce((sum, call) => addCosts(sum, call.cost), state.cost);
  const openTokens = open.reduce((sum, { tokens }) => sum + tokens, 0);
  const usage = { ...state.usage, inputTokens: state.usage.inputTokens + openTokens };
  const usedUp = usedUpSpend({ limits: state.limits, usage, cost });
  if (usedUp !== undefined) return usedUp.message;
  if (maxCostUsd !== null && cost.usd + needed.usd > maxCostUsd) return wouldExceed(`${maxCostUsd} USD`);
  const tokens = usage.inputTokens + usage.outputTokens;
  if (maxTotalTokens === null || tokens + needed.tokens <= maxTotalTokens) return undefined;
  return `the maximum tokens of the request would exceed what is left of the limit of ${maxTotalTokens}`;
}

function wouldExceed(limit: string): string {
  return `the maximum cost of the request would exceed what is left of the limit of ${limit}`;
}
