import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import { createSecretMask } from "@yagate/lib/redaction/secret-mask";
import { toolNameKey } from "@yagate/lib/text/tool-name-key";
import { type Agent, isBuiltinTool, MAX_TOOLS_PER_AGENT, YagateError } from "@yagate/protocol";
import { openSecrets } from "../http/secret-values.ts";
import type { SourcedTool, Tool, Toolset } from "../port.ts";
import { toExecutableTool } from "./executable-tool.ts";
import { hostedToolsOf, wantsHosting } from "./hosted-tool.ts";
import { refusalOf } from "./refusal.ts";
import { type ResolveReferences, singleTools, withoutReferences } from "./resolve-references.ts";
import { type SourceOfTools, toSourcedTool } from "./sourced-tool.ts";
import { type ToolDependencies, type ToolOwner, toolOwner } from "./tool-owner.ts";

/**
 * Creates the toolset of an agent version.
 *
 * @param sourced - the tools of the sources to which the agent refers; default: none.
 */
export type CreateToolset = (agent: Agent, sourced?: readonly SourcedTool[]) => Promise<Toolset>;

export interface ToolsetOptions extends ToolDependencies {
  readonly resolveReferences?: ResolveReferences;
  /** Without it, there can be no tools of sources. */
  readonly sources?: SourceOfTools;
}

/** Converts the tool definitions of an agent to tools that are ready to run. */
export async function createToolset(
  agent: Agent,
  options: ToolsetOptions,
  sourced: readonly SourcedTool[] = [],
): Promise<Toolset> {
  const complete = await (options.resolveReferences ?? withoutReferences)(singleTools(agent.tools));
  const own = complete.filter((tool) => !isBuiltinTool(tool) || !wantsHosting(tool));
  const owner = toolOwner(agent, complete, options, sourced);
  const ready = await Promise.all([
    ...own.map((tool) => toExecutableTool(tool, owner, options)),
    ...sourced.map((tool) => toSourcedTool(tool, owner, withSources(options))),
  ]);
  const hostedTools = hostedToolsOf(complete, agent.policy, options.builtins);
  const reader = await artifactTool(owner, options);
  const isOffered = reader !== undefined && isAddable(reader, [...ready, ...hostedTools]);
  const definitionCharacters = JSON.stringify(complete).length + JSON.stringify(sourced).length;
  const shared = { hostedTools, definitionCharacters, ...secretsOf(owner, options) };
  const withArtifacts = isOffered ? toToolset([...ready, reader], shared, options) : undefined;
  return toToolset(ready, shared, options, withArtifacts);
}

function withSources({ sources, ...options }: ToolsetOptions) {
  if (sources === undefined) throw new YagateError("INTERNAL", "expected no tools of tool sources");
  return { ...options, sources };
}

function secretsOf({ agent: { secretNames } }: ToolOwner, { network }: ToolsetOptions): Pick<Toolset, "openMask"> {
  if (secretNames.length === 0 || network === undefined) return {};
  return {
    async openMask(workspaceId) {
      const { named } = await openSecrets(network.secrets, workspaceId, secretNames);
      return named.length === 0 ? undefined : createSecretMask(named);
    },
  };
}

/**
 * Checks whether a tool can be offered to the model in addition to the others: the number of tools stays within the
 * limit, and models can distinguish its name from the others.
 */
function isAddable({ name }: Tool, others: readonly { readonly name: string }[]): boolean {
  return others.length < MAX_TOOLS_PER_AGENT && others.every((other) => toolNameKey(other.name) !== toolNameKey(name));
}

/**
 * Creates a toolset.
 * @param withArtifacts - default: the toolset itself.
 */
function toToolset(
  ready: readonly Tool[],
  shared: Pick<Toolset, "hostedTools" | "definitionCharacters" | "openMask">,
  { argumentValidator }: ToolsetOptions,
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

/**
 * Creates the tool that reads artifacts; undefined for an agent whose policy denies it, because every call would be
 * denied.
 */
async function artifactTool(owner: ToolOwner, options: ToolsetOptions): Promise<Tool | undefined> {
  if (!options.builtins.has(READ_ARTIFACT)) return undefined;
  const tool = await toExecutableTool({ builtin: READ_ARTIFACT }, owner, options);
  return tool.policyDecision.decision === "denied" ? undefined : tool;
}
