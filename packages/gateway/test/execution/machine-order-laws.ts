import type { Plan, ToolTraits } from "../../src/execution/machine/plan.ts";
import { type CallState, type ExecutionState, isClosed, runningAttempt } from "../../src/execution/machine/state.ts";
import type { Law } from "./machine-laws.ts";

/** What the calls of one turn owe to each other. */
export const ORDER_LAWS: Readonly<Record<string, Law>> = {
  "calls of two groups, and writes that may meet, are never on their way together": ({ before, event }, plan) => {
    if (event.type !== "attempt.started") return;
    const calls = before.turns.at(-1)?.calls ?? [];
    const call = calls.find(({ id }) => id === event.toolCallId);
    const traits = plan.tools.get(call?.name ?? "");
    if (call === undefined || traits === undefined) return "no such call";
    return calls.some((other) => {
      const theirs = plan.tools.get(other.name);
      const isBeside = other.id !== call.id && runningAttempt(other) !== undefined;
      return isBeside && theirs !== undefined && mayNotMeet(traits, theirs);
    })
      ? call.name
      : undefined;
  },

  "writes to one resource run in the order in which they were asked for": ({ before, event }, plan) => {
    if (event.type !== "attempt.started") return;
    const calls = before.turns.at(-1)?.calls ?? [];
    const place = calls.findIndex(({ id }) => id === event.toolCallId);
    const isKeyed = ({ name }: CallState) => (plan.tools.get(name)?.resourceKeyOf ?? null) !== null;
    const call = calls[place];
    if (call === undefined || !isKeyed(call)) return;
    return calls.slice(0, place).some((other) => isKeyed(other) && !isClosed(other)) && "an earlier one is open";
  },

  "a call runs after what its tool depends on": ({ before, event }, plan) => {
    if (event.type !== "attempt.started" || event.number > 1) return;
    return missingDependency(before, event.toolCallId, plan);
  },
};

/** A tool that a call needs first and that has not completed, of the current turn or, not called there, of any. */
export function missingDependency(state: ExecutionState, toolCallId: string, plan: Plan): string | undefined {
  const calls = state.turns.at(-1)?.calls ?? [];
  const call = calls.find(({ id }) => id === toolCallId);
  return plan.tools.get(call?.name ?? "")?.dependsOn.find((name) => {
    const siblings = calls.filter((other) => other.name === name);
    const all = state.turns.flatMap((turn) => turn.calls).filter((other) => other.name === name);
    return !(siblings.every(isCompleted) && all.some(isCompleted));
  });
}

function isCompleted({ status }: CallState): boolean {
  return status === "completed";
}

/** Two tools, of which the scenes have one resource at most. */
function mayNotMeet(one: ToolTraits, other: ToolTraits): boolean {
  if (one.parallelGroup !== null && other.parallelGroup !== null) return one.parallelGroup !== other.parallelGroup;
  const isWrite = ({ sideEffect }: ToolTraits) => sideEffect !== null && sideEffect !== "read_only";
  const hasKey = ({ resourceKeyOf }: ToolTraits) => resourceKeyOf !== null;
  return isWrite(one) && isWrite(other) && hasKey(one) === hasKey(other);
}
