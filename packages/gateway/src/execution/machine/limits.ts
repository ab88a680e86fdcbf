import type { LimitName } from "@yagate/protocol";
import { type ExecutionState, spentMs, type TurnState } from "./state.ts";

/** The limit that this execution is past now, with an explanation for the reader of the answer. */
export function exceededLimit(
  state: ExecutionState,
  now: number,
): { readonly limit: LimitName; readonly message: string } | undefined {
  const { limits } = state;
  if (spentMs(state, now) >= limits.maxWallTimeMs) {
    return { limit: "maxWallTimeMs", message: `the time limit of ${limits.maxWallTimeMs} ms was reached` };
  }
  const turn = state.turns.at(-1);
  if (turn === undefined || turn.calls.length === 0) return undefined;
  if (turn.number > limits.maxToolIterations) {
    return {
      limit: "maxToolIterations",
      message: `the limit of ${limits.maxToolIterations} ${limits.maxToolIterations === 1 ? "round" : "rounds"} of tool calls was reached`,
    };
  }
  const repeated = repeatedlyFailedTool(state.turns, limits.maxSameToolRetries);
  if (repeated !== undefined) {
    return {
      limit: "maxSameToolRetries",
      message: `the tool ${repeated} failed ${limits.maxSameToolRetries + 1} times in a row and was asked for again`,
    };
  }
  if (state.toolResultTokens > limits.maxToolResultTokens) {
    return {
      limit: "maxToolResultTokens",
      message: `the tools' results came to about ${state.toolResultTokens} tokens, over the limit of ${limits.maxToolResultTokens}`,
    };
  }
  const toolCostUsd = state.turns.flatMap(({ calls }) => calls).reduce((sum, call) => sum + call.cost.usd, 0);
  if (limits.maxToolCostUsd !== null && toolCostUsd > limits.maxToolCostUsd) {
    return { limit: "maxToolCostUsd", message: `the tools' cost passed the limit of ${limits.maxToolCostUsd} USD` };
  }
  return undefined;
}

/** A tool that the last turn asks for although it failed in every one of the last `maxRetries + 1` turns that used it. */
function repeatedlyFailedTool(turns: readonly TurnState[], maxRetries: number): string | undefined {
  const asked = turns.at(-1)?.calls ?? [];
  const earlier = turns.slice(0, -1);
  return asked.find((call) => failuresInARow(earlier, call.name) > maxRetries)?.name;
}

function failuresInARow(turns: readonly TurnState[], name: string): number {
  let failures = 0;
  for (const turn of turns.toReversed()) {
    const calls = turn.calls.filter((call) => call.name === name);
    if (calls.length === 0) continue;
    if (calls.some((call) => call.status === "completed")) break;
    failures += 1;
  }
  return failures;
}
