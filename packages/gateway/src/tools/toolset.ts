import { type Agent, isBuiltinTool, MAX_TOOLS_PER_AGENT } from "@yagate/protocol";
import { READ_ARTIFACT } from "../artifacts/read-artifact-name.ts";
import { createSecretMask } from "../secrets/secret-mask.ts";
import { toExecutableTool } from "./executable-tool.ts";
import { hostedToolsOf, wantsHosting } from "./hosted-tool.ts";
import { openSecrets } from "./http/secret-values.ts";
import type { Tool, Toolset } from "./port.ts";
import { refusalOf } from "./refusal.ts";
import { type ResolveReferences, withoutReferences } from "./resolve-references.ts";
import { type ToolDependencies, type ToolOwner, toolOwner } from "./tool-owner.ts";

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
  const hostedTools = hostedToolsOf(complete, agent.policy, options.builtins);
  const reader = await artifactTool(owner, options);
  const isOffered = reader !== undefined && isAddable(reader, [...ready, ...hostedTools]);
  const shared = { hostedTools, ...secretsOf(owner, options) };
  const withArtifacts = isOffered ? toToolset([...ready, reader], shared, options) : undefined;
  return toToolset(ready, shared, options, withArtifacts);
}

function secretsOf({ agent: { secretNames } }: ToolOwner, { network }: ToolsetsOptions): Pick<Toolset, "openMask"> {
  if (secretNames.length === 0 || network === undefined) return {};
  return {
    async openMask(workspaceId) {
      const { named } = await openSecrets(network.secrets, workspaceId, secretNames);
      return named.length === 0 ? undefined : createSecretMask(named);
    },
  };
}

/** Whether providers would take one more tool beside these, and could tell it from them: they accept no dots. */
function isAddable({ name }: Tool, others: readonly { readonly name: string }[]): boolean {
  return others.length < MAX_TOOLS_PER_AGENT && others.every((other) => other.name.replaceAll(".", "_") !== name);
}

/** @param withArtifacts - default the toolset itself. */
function toToolset(
  ready: readonly Tool[],
  shared: Pick<Toolset, "hostedTools" | "openMask">,
  { argumentValidator }: ToolsetsOptions,
  withArtifacts?: Toolset,
): Toolset {
  const tools = new Map(ready.map((tool) => [tool.name, tool]));
  const toolset: Toolset = {
    tools,
    ...shared,
    get withArtifacts() {
      return withArtifacts ?? toolset;
    },
    refusalOf: (call) => refusalOf(call, tools, argumentValidator),
  };
  return toolset;
}

/** The tool that reads artifacts, for agents that may run it: offering it to others would only invite refused calls. */
async function artifactTool(owner: ToolOwner, options: ToolsetsOptions): Promise<Tool | undefined> {
  if (!options.builtins.has(READ_ARTIFACT)) return undefined;
  const tool = await toExecutableTool({ builtin: READ_ARTIFACT }, owner, options);
  return tool.policyDecision.decision === "denied" ? undefined : tool;
}
