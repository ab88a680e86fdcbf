import { defined } from "@yagate/lib/objects/defined";
import { type Agent, type HeldTools, isToolSourceReference, type PinnedSourceTool } from "@yagate/protocol";
import type { AgentStore, EventStore, ExecutionRow } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import type { ResolveIntents } from "../../capabilities/resolve-intents.ts";
import type { ResolvedIntent, SourcedTool, Toolset } from "../../tools/port.ts";
import { intentEntries } from "../../tools/toolset/intent-entries.ts";
import type { CreateToolset } from "../../tools/toolset/toolset.ts";

/** One version of an agent, ready to run. */
export interface LoadedAgent {
  readonly agent: Agent;
  readonly toolset: Toolset;
  /** The tools of tool sources in the toolset; absent if it contains no such tools. */
  readonly sourceTools?: readonly PinnedSourceTool[];
  /** The tools of its sources that an execution that has not started does not get; absent if there are none. */
  readonly heldTools?: HeldTools;
}

/** The tools of an agent's sources. */
export interface ResolvedSourceTools {
  /** Those that the sources currently offer, in the order of the agent's tools. */
  readonly pins: readonly PinnedSourceTool[];
  /** Those that wait to be accepted; absent if there are none. */
  readonly heldTools?: HeldTools;
}

/**
 * The version of an agent that an execution was started with. Without `id`, it is loaded for no execution, with the
 * tools that its sources currently offer.
 */
type AgentVersion = Pick<ExecutionRow, "agentId" | "agentVersion"> & Partial<Pick<ExecutionRow, "id" | "lastSeq">>;

/** Reads a version of an agent and prepares its tools. */
export type LoadAgent = (version: AgentVersion) => Promise<LoadedAgent>;

/** Finds the tools of tool sources. */
export interface SourceToolLoader {
  /**
   * Returns the tools that the agent's sources currently offer, and those that are held.
   * @throws YagateError `TOO_MANY_TOOLS` if a model turn would carry more than 128 tools.
   */
  resolve(workspaceId: string, agent: Agent): Promise<ResolvedSourceTools>;
  /** Reads the definitions of tools, in the same order. */
  load(pins: readonly PinnedSourceTool[]): Promise<readonly SourcedTool[]>;
}

export interface LoadAgentOptions {
  readonly agents: Pick<AgentStore, "findVersion">;
  readonly createToolset: CreateToolset;
  /** Loads the tools of sources. Default: references to tool sources offer no tools. */
  readonly sources?: SourceToolLoader;
  /** Without it, intents are served by nothing. */
  readonly resolveIntents?: ResolveIntents;
  /** Reads the events of executions, which contain the tools of sources that they use. */
  readonly eventStore?: Pick<EventStore, "entryPage">;
  /** Maximum number of cached agent versions; default 500. */
  readonly maxVersions?: number;
  /** Maximum length of all cached definitions as JSON, in characters; default 64 Mi. */
  readonly maxCharacters?: number;
}

const NO_TOOLS: ResolvedSourceTools = { pins: [] };

/** A cached version of an agent, with the tools of sources for which it was loaded. */
interface CachedAgent extends LoadedAgent {
  readonly workspaceId: string;
  readonly hasSources: boolean;
  readonly hasIntents: boolean;
}

/** What a load needs in addition to its key. */
interface Load extends AgentVersion {
  readonly pins: readonly PinnedSourceTool[];
  readonly intents?: readonly ResolvedIntent[];
}

/**
 * Creates the function that loads agent versions. It caches the most recently used ones, because a version never
 * changes and most executions use one of a few. Concurrent loads of a version share one read; a failed load is not
 * cached.
 */
export function createLoadAgent(options: LoadAgentOptions): LoadAgent {
  const { agents, createToolset, sources, resolveIntents, eventStore } = options;
  const { maxVersions = 500, maxCharacters = 67_108_864 } = options;

  async function load({ agentId, agentVersion, pins, intents = [] }: Load): Promise<CachedAgent> {
    const row = await agents.findVersion(agentId, agentVersion);
    if (row === undefined) throw new Error("expected the agent version that the execution was started with");
    const { workspaceId, agent } = row;
    const hasSources = sources !== undefined && agent.tools.some(isToolSourceReference);
    const hasIntents = resolveIntents !== undefined && intentEntries(agent.tools).length > 0;
    const base = { workspaceId, agent, hasSources, hasIntents };
    if (pins.length === 0) return { ...base, toolset: await createToolset(agent, [], intents) };
    const toolset = await createToolset(agent, await sources?.load(pins), intents);
    return { ...base, toolset, sourceTools: pins };
  }

  const loaded = new LRUCache<string, CachedAgent, Load>({
    max: maxVersions,
    maxSize: maxCharacters,
    sizeCalculation: ({ toolset }) => toolset.definitionCharacters,
    fetchMethod: (_key, _stale, { context }) => load(context),
    // A load may be evicted while code is still waiting for it.
    ignoreFetchAbort: true,
  });

  /**
   * Returns the tools of sources that an execution uses: those in its first event or, before that, the current ones.
   */
  async function resolve(
    { id, lastSeq = 0 }: AgentVersion,
    { workspaceId, agent }: CachedAgent,
  ): Promise<ResolvedSourceTools> {
    if (id !== undefined && lastSeq > 0) {
      const [first] = (await eventStore?.entryPage(id, 0))?.entries ?? [];
      if (first?.event.type === "execution.started") return { pins: first.event.sourceTools ?? [] };
    }
    return (await sources?.resolve(workspaceId, agent)) ?? { pins: [] };
  }

  return async (version) => {
    const key = `${version.agentId}:${version.agentVersion}`;
    const base = loaded.get(key) ?? (await loaded.forceFetch(key, { context: { ...version, pins: [] } }));
    if (!base.hasSources && !base.hasIntents) return base;
    const { pins, heldTools } = base.hasSources ? await resolve(version, base) : NO_TOOLS;
    const resolved = base.hasIntents ? await resolveIntents?.(base.workspaceId, base.agent) : undefined;
    if (pins.length === 0 && resolved === undefined) return { ...base, ...defined({ heldTools }) };
    const pinsKey = pins.map(({ source, tool, hash }) => `${source} ${hash} ${tool}`).join("\n");
    const fullKey = `${key}:${resolved?.key ?? ""}:${pinsKey}`;
    const context = { ...version, pins, ...defined({ intents: resolved?.intents }) };
    const agent = loaded.get(fullKey) ?? (await loaded.forceFetch(fullKey, { context }));
    return { ...agent, ...defined({ heldTools }) };
  };
}
