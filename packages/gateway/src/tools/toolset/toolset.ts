import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import { defined } from "@yagate/lib/objects/defined";
import { createSecretMask } from "@yagate/lib/redaction/secret-mask";
import { toolNameKey } from "@yagate/lib/text/tool-name-key";
import {
  type Agent,
  type CompleteToolDefinition,
  isBuiltinTool,
  isRestTool,
  isToolReference,
  MAX_TOOLS_PER_AGENT,
  YagateError,
} from "@yagate/protocol";
import { createIndexCache, type IndexCache } from "@yagate/tool-search/index-cache";
import { openSecrets } from "../http/services.ts";
import type { ResolvedIntent, SourcedTool, Tool, Toolset } from "../port.ts";
import { toExecutableTool } from "./executable-tool.ts";
import { hostedToolsOf, wantsHosting } from "./hosted-tool.ts";
import { refusalOf } from "./refusal.ts";
import {
  type ResolveReferences,
  type SingleToolDefinition,
  singleTools,
  withoutReferences,
} from "./resolve-references.ts";
import { type IntentToolOptions, prepareIntents } from "./routed-tools.ts";
import { toSourcedTool } from "./sourced-tool.ts";
import { type ToolOwner, toolOwner } from "./tool-owner.ts";
import { createToolSearch } from "./tool-search.ts";
import { toWithdrawableTool } from "./withdrawable-tool.ts";

/**
 * Creates the toolset of an agent version.
 *
 * @param sourced - the tools of the sources to which the agent refers; default: none.
 * @param intents - the intents of the agent; default: none.
 */
export type CreateToolset = (
  agent: Agent,
  sourced?: readonly SourcedTool[],
  intents?: readonly ResolvedIntent[],
) => Promise<Toolset>;

export interface ToolsetOptions extends IntentToolOptions {
  readonly resolveReferences?: ResolveReferences;
  /** The indexes of tool searches; default: the toolset has its own. */
  readonly toolIndexes?: IndexCache;
}

/** Converts the tool definitions of an agent to tools that are ready to run. */
export async function createToolset(
  agent: Agent,
  options: ToolsetOptions,
  sourced: readonly SourcedTool[] = [],
  intents: readonly ResolvedIntent[] = [],
): Promise<Toolset> {
  const listed = singleTools(agent.tools);
  const complete = await (options.resolveReferences ?? withoutReferences)(listed);
  // The entries of the agent and what they stand for have the same order.
  const own = complete.flatMap((tool, index) =>
    isBuiltinTool(tool) && wantsHosting(tool) ? [] : [{ tool, entry: listed[index] }],
  );
  const owner = toolOwner(agent, complete, options, sourced);
  const routed =
    intents.length === 0 && agent.routing?.rules === undefined
      ? undefined
      : await prepareIntents(agent, intents, options);
  const single = await Promise.all([
    ...own.map(({ tool, entry }) => toOwnTool(tool, entry, owner, options)),
    ...sourced.map((tool) => toSourcedTool(tool, owner, withSources(options))),
  ]);
  const ready = [...single, ...(routed?.standIns ?? [])];
  const hostedTools = hostedToolsOf(complete, agent.policy, options.builtins);
  const reader = await artifactTool(owner, options);
  const isOffered = reader !== undefined && isAddable(reader, [...ready, ...hostedTools]);
  const definitionCharacters =
    JSON.stringify(complete).length + JSON.stringify(sourced).length + JSON.stringify(intents).length;
  const secretNames = [...new Set([...owner.agent.secretNames, ...(routed?.secretNames ?? [])])];
  const shared = { hostedTools, definitionCharacters, ...secretsOf(secretNames, options), ...defined({ routed }) };
  const search = await createToolSearch(ready, agent.toolSearch, options.toolIndexes ?? createIndexCache());
  if (search !== undefined) {
    // Every turn carries this tool, because a tool that is added later changes what the provider has cached.
    const readers = reader !== undefined && hasOwnName(reader, [...ready, ...hostedTools]) ? [reader] : [];
    const { shown, ...deferral } = search.deferral;
    const shownToo = readers.map(({ name }) => name);
    const withDeferral = { ...shared, search: { shown: [...shown, ...shownToo], ...deferral } };
    return toToolset([...ready, ...readers, search.tool], withDeferral, options);
  }
  const withArtifacts = isOffered ? toToolset([...ready, reader], shared, options) : undefined;
  return toToolset(ready, shared, options, withArtifacts);
}

/**
 * Converts a tool that the agent lists itself to a tool that is ready to run. A saved REST tool may follow an operation
 * of a tool source, so it stops when the operation is withdrawn.
 */
async function toOwnTool(
  definition: CompleteToolDefinition,
  entry: SingleToolDefinition | undefined,
  owner: ToolOwner,
  options: ToolsetOptions,
): Promise<Tool> {
  const ready = await toExecutableTool(definition, owner, options);
  const { sources } = options;
  if (sources === undefined || entry === undefined || !isToolReference(entry) || !isRestTool(definition)) return ready;
  const { tool, version } = entry;
  if (version === undefined) throw new YagateError("INTERNAL", "expected a reference with a version");
  return toWithdrawableTool(ready, () => sources.refusalOfVersion({ tool, version }));
}

function withSources({ sources, ...options }: ToolsetOptions) {
  if (sources === undefined) throw new YagateError("INTERNAL", "expected no tools of tool sources");
  return { ...options, sources };
}

function secretsOf(secretNames: readonly string[], { network }: ToolsetOptions): Pick<Toolset, "openMask"> {
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
function isAddable(tool: Tool, others: readonly { readonly name: string }[]): boolean {
  return others.length < MAX_TOOLS_PER_AGENT && hasOwnName(tool, others);
}

function hasOwnName({ name }: Tool, others: readonly { readonly name: string }[]): boolean {
  return others.every((other) => toolNameKey(other.name) !== toolNameKey(name));
}

/**
 * Creates a toolset.
 * @param withArtifacts - default: the toolset itself.
 */
function toToolset(
  ready: readonly Tool[],
  shared: Pick<Toolset, "hostedTools" | "definitionCharacters" | "openMask" | "search" | "routed">,
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
