import type { ExecutionSummary } from "@yagate/store/port";
import type { ExecutionState } from "../machine/state.ts";

/** What the execution's row shows of a state. */
export function toSummary(state: ExecutionState): ExecutionSummary {
  const { status, stopReason, output, error, usage, cost } = state;
  return {
    status,
    stopReason,
    output,
    error,
    usage,
    cost,
    startedAt: state.startedAt === null ? null : Date.parse(state.startedAt),
    finishedAt: state.finishedAt === null ? null : Date.parse(state.finishedAt),
  };
}
