import type { Agent } from "@yagate/protocol";
import type { AgentStore, ExecutionRow } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import type { Toolset } from "../../tools/port.ts";
import type { CreateToolset } from "../../tools/toolset/toolset.ts";

/** One version of an agent, ready to run. */
export interface LoadedAgent {
  readonly agent: Agent;
  readonly toolset: Toolset;
}

/** The version of an agent that an execution was started with. */
type AgentVersion = Pick<ExecutionRow, "agentId" | "agentVersion">;

/** Reads a version of an agent and prepares its tools. */
export type LoadAgent = (version: AgentVersion) => Promise<LoadedAgent>;

export interface LoadAgentOptions {
  readonly agents: Pick<AgentStore, "findVersion">;
  readonly createToolset: CreateToolset;
  /** Maximum number of cached agent versions; default 500. */
  readonly maxVersions?: number;
  /** Maximum length of all cached definitions as JSON, in characters; default 64 Mi. */
  readonly maxCharacters?: number;
}

/**
 * Creates the function that loads agent versions. It caches the most recently used ones, because a version never
 * changes and most executions use one of a few. Concurrent loads of a version share one read; a failed load is not
 * cached.
 */
export function createLoadAgent(options: LoadAgentOptions): LoadAgent {
  const { agents, createToolset, maxVersions = 500, maxCharacters = 67_108_864 } = options;

  async function load({ agentId, agentVersion }: AgentVersion): Promise<LoadedAgent> {
    const row = await agents.findVersion(agentId, agentVersion);
    if (row === undefined) throw new Error("expected the agent version that the execution was started with");
    return { agent: row.agent, toolset: await createToolset(row.agent) };
  }

  const loaded = new LRUCache<string, LoadedAgent, AgentVersion>({
    max: maxVersions,
    maxSize: maxCharacters,
    sizeCalculation: ({ toolset }) => toolset.definitionCharacters,
    fetchMethod: (_key, _stale, { context }) => load(context),
    // A load may be evicted while code is still waiting for it.
    ignoreFetchAbort: true,
  });
  return async (version) => {
    const key = `${version.agentId}:${version.agentVersion}`;
    return loaded.get(key) ?? loaded.forceFetch(key, { context: version });
  };
}
