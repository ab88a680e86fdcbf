import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import { createSecretMask } from "@yagate/lib/redaction/secret-mask";
import { type Agent, isBuiltinTool, MAX_TOOLS_PER_AGENT } from "@yagate/protocol";
import { openSecrets } from "../http/secret-values.ts";
import type { Tool, Toolset } from "../port.ts";
import { toExecutableTool } from "./executable-tool.ts";
import { hostedToolsOf, wantsHosting } from "./hosted-tool.ts";
import { createRecentlyUsed, MAX_KEPT_DEFINITION_CHARACTERS } from "./recently-used.ts";
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
  /** Of the definitions of all that is kept; default 64 Mi. */
  readonly maxKeptCharacters?: number;
}

/** Turns the definitions of agents into tools, once for each version. */
export function createToolsets(options: ToolsetsOptions): Toolsets {
  const { cacheSize = 500, maxKeptCharacters = MAX_KEPT_DEFINITION_CHARACTERS } = options;
  const limits = { maxEntries: cacheSize, maxCharacters: maxKeptCharacters };
  const kept = createRecentlyUsed<MadeToolset>(limits, ({ characters }) => characters);
  return {
    async forAgent(agent) {
      const made = await kept.get(`${agent.id}:${agent.version}`, () => createToolset(agent, options));
      return made.toolset;
    },
  };
}

interface MadeToolset {
  readonly toolset: Toolset;
  /** Of its definitions. */
  readonly characters: number;
}

async function createToolset(agent: Agent, options: ToolsetsOptions): Promise<MadeToolset> {
  const complete = await (options.resolveReferences ?? withoutReferences)(agent.tools);
  const own = complete.filter((tool) => !isBuiltinTool(tool) || !wantsHosting(tool));
  const owner = toolOwner(agent, complete, options);
  const ready = await Promise.all(own.map((tool) => toExecutableTool(tool, owner, options)));
  const hostedTools = hostedToolsOf(complete, agent.policy, options.builtins);
  const reader = await artifactTool(owner, options);
  const isOffered = reader !== undefined && isAddable(reader, [...ready, ...hostedTools]);
  const shared = { hostedTools, ...secretsOf(owner, options) };
  const withArtifacts = isOffered ? toToolset([...ready, reader], shared, options) : undefined;
  const toolset = toToolset(ready, shared, options, withArtifacts);
  return { toolset, characters: JSON.stringify(complete).length };
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
