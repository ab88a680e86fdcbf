import { exceededTurnLimit } from "./exceeded-turn-limit.ts";
import type { CallState, TurnState } from "./state.ts";

/**
 * A tool that the last turn asks for although it failed in each of the last `maxRetries + 1` turns that used it.
 *
 * A turn used a tool if it asked for it and was not merely told that this was too many calls at once; it failed there
 * if none of its calls brought a result. Turns that did not use it count neither way.
 */
export function repeatedlyFailedTool(turns: readonly TurnState[], maxRetries: number): string | undefined {
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
