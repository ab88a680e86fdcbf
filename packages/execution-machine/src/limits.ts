import type { Cost, LimitName } from "@yagate/protocol";
import { isOverUsd, isUsedUpUsd } from "./cost.ts";
import { type CallState, type ExecutionState, exceededTurnLimit, spentMs, type TurnState } from "./state.ts";

/** A limit that the execution has reached, with an explanation for the reader of the output. */
export interface ReachedLimit {
  readonly limit: LimitName;
  readonly message: string;
}

/** Returns the limit that the execution exceeds now, among those that always apply. */
export function exceededLimit(state: ExecutionState, now: number): ReachedLimit | undefined {
  const { limits } = state;
  if (spentMs(state, now) >= limits.maxWallTimeMs) {
    return { limit: "maxWallTimeMs", message: `the time limit of ${limits.maxWallTimeMs} ms was reached` };
  }
  const turn = state.turns.at(-1);
  if (turn === undefined || turn.calls.length === 0) return undefined;
  if (turn.number > limits.maxToolIterations) {
    return {
      limit: "maxToolIterations",
      message: `the limit of ${rounds(limits.maxToolIterations)} of tool calls was reached`,
    };
  }
  const repeated = repeatedlyFailedTool(state.turns, limits.maxSameToolRetries);
  if (repeated !== undefined) {
    return {
      limit: "maxSameToolRetries",
      message: `the tool ${repeated} failed in ${rounds(limits.maxSameToolRetries + 1)} in a row, and the model called it again`,
    };
  }
  if (state.toolResultTokens > limits.maxToolResultTokens) {
    return {
      limit: "maxToolResultTokens",
      message: `the tools' results amount to about ${state.toolResultTokens} tokens, over the limit of ${limits.maxToolResultTokens}`,
    };
  }
  if (limits.maxToolCostUsd !== null && isOverUsd(toolCosts(state), limits.maxToolCostUsd)) {
    return { limit: "maxToolCostUsd", message: `the tools' cost exceeded the limit of ${limits.maxToolCostUsd} USD` };
  }
  return undefined;
}

/**
 * Returns the limit on the execution's total cost or tokens if it is used up, so that no further model request may be
 * sent. This applies only to model requests: if a model turn exceeds the limit, its calls still run.
 */
export function usedUpSpend({
  limits,
  usage,
  cost,
}: Pick<ExecutionState, "limits" | "usage" | "cost">): ReachedLimit | undefined {
  const { maxCostUsd, maxTotalTokens } = limits;
  if (maxCostUsd !== null && isUsedUpUsd(cost, maxCostUsd)) {
    const spent = `${cost.isPartial === true ? "at least " : ""}${cost.usd}`;
    return { limit: "maxCostUsd", message: `the execution has cost ${spent} USD, and its limit is ${maxCostUsd} USD` };
  }
  const tokens = usage.inputTokens + usage.outputTokens;
  if (maxTotalTokens === null || tokens < maxTotalTokens) return undefined;
  return {
    limit: "maxTotalTokens",
    message: `the execution has used ${tokens} tokens, and its limit is ${maxTotalTokens}`,
  };
}

/** Returns the hint for a call that a limit ended, with the name of the limit in the agent's definition. */
export function limitHint(limit: LimitName): string {
  return `the limit ${limit} of this execution is reached; reply with what you know`;
}

function toolCosts(state: ExecutionState): readonly Cost[] {
  return state.turns.flatMap(({ calls }) => calls.map(({ cost }) => cost));
}

function rounds(count: number): string {
  return count === 1 ? "1 round" : `${count} rounds`;
}

/**
 * Returns a tool that the last model turn calls although the tool failed in each of the last `maxRetries + 1` turns
 * that used it.
 *
 * A turn used a tool if at least one of its calls was within the limits per turn. The tool failed in a turn if none of
 * its calls completed. Turns that did not use it are skipped.
 */
function repeatedlyFailedTool(turns: readonly TurnState[], maxRetries: number): string | undefined {
  // Fewer turns can't contain that many failures.
  if (turns.length < maxRetries + 2) return undefined;
  const undecided = new Map((turns.at(-1)?.calls ?? []).filter(isUse).map(({ name }) => [name, 0]));
  for (let index = turns.length - 2; index >= 0 && undecided.size > 0; index -= 1) {
    for (const [name, hasWorked] of outcomesByTool(turns[index]?.calls ?? [])) {
      const failures = undecided.get(name);
      if (failures === undefined) continue;
      if (hasWorked) undecided.delete(name);
      else if (failures >= maxRetries) return name;
      else undecided.set(name, failures + 1);
    }
  }
  return undefined;
}

function outcomesByTool(calls: readonly CallState[]): ReadonlyMap<string, boolean> {
  const outcomes = new Map<string, boolean>();
  for (const call of calls) {
    if (isUse(call)) outcomes.set(call.name, outcomes.get(call.name) === true || call.status === "completed");
  }
  return outcomes;
}

function isUse(call: CallState): boolean {
  return !exceededTurnLimit(call);
}
