import type { ExecutionConfig, ToolTraits } from "../../src/execution-config.ts";
import { type CallState, type ExecutionState, isClosed, runningAttempt } from "../../src/state.ts";
import type { Law } from "./law.ts";

/** What the calls of one turn owe to each other. */
export const ORDER_LAWS: Readonly<Record<string, Law>> = {
  "calls of two groups, and writes that may conflict, never run together": ({ before, event }, config) => {
    if (event.type !== "attempt.started") return;
    const calls = before.turns.at(-1)?.calls ?? [];
    const call = calls.find(({ id }) => id === event.toolCallId);
    if (call === undefined) return "no such call";
    const isBeside = (other: CallState) => other.id !== call.id && runningAttempt(other) !== undefined;
    return calls.some((other) => isBeside(other) && mayNotMeet(call.name, other.name, config)) && call.name;
  },

  "writes to one resource run in the order in which they were requested": ({ before, event }, config) => {
    if (event.type !== "attempt.started") return;
    const calls = before.turns.at(-1)?.calls ?? [];
    const place = calls.findIndex(({ id }) => id === event.toolCallId);
    const isKeyed = ({ name }: CallState) => (config.tools.get(name)?.resourceKeyOf ?? null) !== null;
    const call = calls[place];
    if (call === undefined || !isKeyed(call)) return;
    return calls.slice(0, place).some((other) => isKeyed(other) && !isClosed(other)) && "an earlier one is open";
  },

  "a call runs after the dependencies of its tool": ({ before, event }, config) => {
    if (event.type !== "attempt.started" || event.number > 1) return;
    return missingDependency(before, event.toolCallId, config);
  },

  "a call fails because of a dependency only if that failed or was not called": ({ before, event }, config) => {
    if (event.type !== "tool_call.failed" || event.error.code !== "DEPENDENCY_FAILED") return;
    const { toolName } = event.error;
    const hasNoHope = (name: string) => {
      const siblings = siblingsOf(before, name);
      if (siblings.length > 0) return siblings.some((call) => isClosed(call) && !isCompleted(call));
      return !hasCompleted(before, name);
    };
    return config.tools.get(toolName)?.dependsOn.some(hasNoHope) !== true && `${toolName} may still run`;
  },
};

/** A tool that a call needs first and that has not completed, of the current turn or, not called there, of any. */
export function missingDependency(
  state: ExecutionState,
  toolCallId: string,
  config: ExecutionConfig,
): string | undefined {
  const call = state.turns.at(-1)?.calls.find(({ id }) => id === toolCallId);
  return config.tools
    .get(call?.name ?? "")
    ?.dependsOn.find((name) => !(siblingsOf(state, name).every(isCompleted) && hasCompleted(state, name)));
}

/** The calls of a tool in the current turn, without those that were too many at once and never ran. */
function siblingsOf(state: ExecutionState, name: string): readonly CallState[] {
  const calls = state.turns.at(-1)?.calls ?? [];
  return calls.filter((call) => call.name === name && call.error?.code !== "BUDGET_EXCEEDED");
}

function hasCompleted(state: ExecutionState, name: string): boolean {
  return state.turns.some(({ calls }) => calls.some((call) => call.name === name && isCompleted(call)));
}

function isCompleted({ status }: CallState): boolean {
  return status === "completed";
}

/** Whether calls of two tools may not be on their way together. The scenes have one resource at most. */
export function mayNotMeet(name: string, otherName: string, config: ExecutionConfig): boolean {
  const one = config.tools.get(name);
  const other = config.tools.get(otherName);
  if (one === undefined || other === undefined) return false;
  if (one.parallelGroup !== null && other.parallelGroup !== null) return one.parallelGroup !== other.parallelGroup;
  const isWrite = ({ sideEffect }: ToolTraits) => sideEffect !== null && sideEffect !== "read_only";
  return isWrite(one) && isWrite(other);
}
