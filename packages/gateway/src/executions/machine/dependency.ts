import { exceededTurnLimit } from "./exceeded-turn-limit.ts";
import type { ExecutionConfig } from "./execution-config.ts";
import type { Failure } from "./inputs.ts";
import { type CallState, type ExecutionState, isClosed } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/** Why a call can never run: a tool that must come first brought no result. Undefined: it did, or it still may. */
export function dependencyFailure(
  state: ExecutionState,
  call: CallState,
  config: ExecutionConfig,
): Failure | undefined {
  for (const name of config.tools.get(call.name)?.dependsOn ?? []) {
    const failure = failureOf(state, name);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function failureOf(state: ExecutionState, name: string): Failure | undefined {
  const isOfName = (call: CallState) => call.name === name;
  const siblings = state.turns.at(-1)?.calls.filter((call) => isOfName(call) && !exceededTurnLimit(call)) ?? [];
  const isFailed = siblings.some((call) => isClosed(call) && call.status !== "completed");
  if (isFailed) return gatewayFailure("DEPENDENCY_FAILED", `${name} must complete first, and it did not`);
  if (siblings.length > 0) return undefined;
  const hasCompleted = state.turns.some(({ calls }) =>
    calls.some((call) => isOfName(call) && call.status === "completed"),
  );
  if (hasCompleted) return undefined;
  const failure = gatewayFailure("DEPENDENCY_FAILED", `${name} must complete first, and it was not called`);
  return { ...failure, hint: `call ${name}, then this tool again` };
}
