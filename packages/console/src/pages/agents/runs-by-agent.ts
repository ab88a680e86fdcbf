import type { Execution } from "@yagate/protocol";

/** What recent executions say about an agent. */
export interface AgentRuns {
  /** The newest execution. */
  readonly last: Execution;
  /** Number of executions that have ended. */
  readonly ended: number;
  readonly failed: number;
}

/** Counts the executions of each agent. @param executions - the newest first. */
export function runsByAgent(executions: readonly Execution[]): ReadonlyMap<string, AgentRuns> {
  const runs = new Map<string, AgentRuns>();
  for (const execution of executions) {
    const known = runs.get(execution.agentId) ?? { last: execution, ended: 0, failed: 0 };
    const ended = known.ended + (execution.finishedAt === null ? 0 : 1);
    runs.set(execution.agentId, { ...known, ended, failed: known.failed + (execution.status === "failed" ? 1 : 0) });
  }
  return runs;
}

/** Returns the share of failed executions among those that have ended, in percent; undefined if none has ended. */
export function failureRate(runs: AgentRuns | undefined): string | undefined {
  if (runs === undefined || runs.ended === 0) return undefined;
  const { ended, failed } = runs;
  return `${((failed / ended) * 100).toFixed(failed === 0 ? 0 : 1)} %`;
}
