import { type Agent, isBuiltinTool } from "@yagate/protocol";
import { toExecutableTool } from "./executable-tool.ts";
import { hostedToolsOf, wantsHosting } from "./hosted-tool.ts";
import type { Toolset } from "./port.ts";
import { refusalOf } from "./refusal.ts";
import { type ResolveReferences, withoutReferences } from "./resolve-references.ts";
import { type ToolDependencies, toolOwner } from "./tool-owner.ts";

/** The tools of agents, ready to run. */
export interface Toolsets {
  /** The same object for the same version, as long as it is kept. */
  forAgent(agent: Agent): Promise<Toolset>;
}

export interface ToolsetsOptions extends ToolDependencies {
  readonly resolveReferences?: ResolveReferences;
  /** Agent versions kept, the most recently used ones; default 500. */
  readonly cacheSize?: number;
}

/** Turns the definitions of agents into tools, once for each version. */
export function createToolsets(options: ToolsetsOptions): Toolsets {
  const { cacheSize = 500 } = options;
  const kept = new Map<string, Promise<Toolset>>();

  function make(key: string, agent: Agent): Promise<Toolset> {
    const made = createToolset(agent, options);
    made.catch(() => kept.delete(key));
    return made;
  }

  return {
    forAgent(agent) {
      const key = `${agent.id}:${agent.version}`;
      const toolset = kept.get(key) ?? make(key, agent);
      // A Map lists keys in the order of insertion: the first one was used longest ago.
      kept.delete(key);
      kept.set(key, toolset);
      for (const oldest of kept.keys()) {
        if (kept.size <= cacheSize) break;
        kept.delete(oldest);
      }
      return toolset;
    },
  };
}

async function createToolset(agent: Agent, options: ToolsetsOptions): Promise<Toolset> {
  const complete = await (options.resolveReferences ?? withoutReferences)(agent.tools);
  const own = complete.filter((tool) => !isBuiltinTool(tool) || !wantsHosting(tool));
  const owner = toolOwner(agent, complete, options);
  const ready = await Promise.all(own.map((tool) => toExecutableTool(tool, owner, options)));
  const tools = new Map(ready.map((tool) => [tool.name, tool]));
  const hostedTools = hostedToolsOf(complete, agent.policy, options.builtins);
  return { tools, hostedTools, refusalOf: (call) => refusalOf(call, tools, options.argumentValidator) };
}
