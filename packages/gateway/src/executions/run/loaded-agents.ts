import type { Agent } from "@yagate/protocol";
import type { AgentStore, ExecutionRow } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import type { Toolset } from "../../tools/port.ts";

/** Agent versions kept in memory, those used last: they never change, and most executions are of a few. */
const KEPT_VERSIONS = 500;

/** One version of an agent, ready to run. */
export interface LoadedAgent {
  readonly agent: Agent;
  readonly toolset: Toolset;
}

/** Reads the version that an execution was started with. */
export type LoadAgent = (execution: Pick<ExecutionRow, "agentId" | "agentVersion">) => Promise<LoadedAgent>;

export interface LoadAgentOptions {
  readonly agents: Pick<AgentStore, "findVersion">;
  readonly toolsets: { forAgent(agent: Agent): Promise<Toolset> };
}

/** Makes the function that reads versions of agents, and keeps those that were read. */
export function createLoadAgent({ agents, toolsets }: LoadAgentOptions): LoadAgent {
  const kept = new LRUCache<string, Promise<LoadedAgent>>({ max: KEPT_VERSIONS });

  async function load(agentId: string, version: number): Promise<LoadedAgent> {
    const row = await agents.findVersion(agentId, version);
    if (row === undefined) throw new Error("expected the agent version that the execution was started with");
    return { agent: row.agent, toolset: await toolsets.forAgent(row.agent) };
  }

  return ({ agentId, agentVersion }) => {
    const key = `${agentId}:${agentVersion}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const loading = load(agentId, agentVersion);
    loading.catch(() => kept.delete(key));
    kept.set(key, loading);
    return loading;
  };
}
