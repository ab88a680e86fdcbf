import {
  type Agent,
  type AgentPolicy,
  isToolSourceReference,
  type ToolSourceReference,
  type ToolSourceSettings,
  type Warning,
} from "@yagate/protocol";
import { type AgentFinding, toAgentCheck } from "@yagate/tool-definitions/agent-finding";
import type { JudgedTool } from "@yagate/tool-sources/offered-tools";
import type { SourcedDefinition } from "@yagate/tool-sources/port";
import { checkPolicy } from "./check-policy.ts";

/** The parts of a tool source that decide whether an agent's policy denies its tools. */
interface CheckedSource {
  readonly name: string;
  readonly settings: ToolSourceSettings;
  readonly tools: readonly JudgedTool[];
}

/** Maximum number of hosts that a warning names. */
const MAX_NAMED_HOSTS = 5;
/** Maximum number of tools that a warning names. */
const MAX_NAMED_TOOLS = 5;

/** A tool of a source that an agent does not get, because another tool of the agent has its name. */
interface NameConflict {
  /** The index of the source's reference in the agent's tools. */
  readonly index: number;
  readonly name: string;
  readonly holder: string;
}

export interface CheckSourcesOptions {
  /** Finds a source of a workspace by its name or id. */
  readonly find: (workspaceId: string, nameOrId: string) => Promise<CheckedSource | undefined>;
  readonly conflictsOf: (workspaceId: string, agent: Pick<Agent, "tools">) => Promise<readonly NameConflict[]>;
}

/**
 * Creates the function that warns about tool sources whose tools the agent's policy always denies, and about their
 * tools that the agent does not get because of their names.
 */
export function createCheckSources({
  find,
  conflictsOf,
}: CheckSourcesOptions): (workspaceId: string, agent: Pick<Agent, "tools" | "policy">) => Promise<readonly Warning[]> {
  return async (workspaceId, { tools, policy }) => {
    const findings: AgentFinding[] = [];
    for (const [index, tool] of tools.entries()) {
      if (!isToolSourceReference(tool)) continue;
      const source = await find(workspaceId, tool.source);
      if (source !== undefined) findings.push(...checkSource(source, `tools[${index}]`, tool, policy));
    }
    if (tools.some(isToolSourceReference)) findings.push(...nameFindings(await conflictsOf(workspaceId, { tools })));
    return toAgentCheck(findings).warnings;
  };
}

function checkSource(
  source: CheckedSource,
  path: string,
  reference: ToolSourceReference,
  policy: AgentPolicy,
): readonly AgentFinding[] {
  const kind = source.settings.kind === "handler" ? "handler" : "network";
  const found = checkPolicy(`the tools of ${source.name}`, path, policy, { kind, risk: null });
  const isAllowedKind = policy.toolKinds === undefined || policy.toolKinds.includes(kind);
  const remedy = kind === "network" && isAllowedKind ? remedyFor(hostsOf(source, reference)) : "";
  return found.map((finding) => ({ ...finding, message: `${finding.message}${remedy}` }));
}

/** Returns one finding for each source, which names the first tools. */
function nameFindings(conflicts: readonly NameConflict[]): readonly AgentFinding[] {
  const byReference = Map.groupBy(conflicts, ({ index }) => index);
  return [...byReference].map(([index, found]) => {
    const named = found.slice(0, MAX_NAMED_TOOLS).map(({ name, holder }) => `${name} (like ${holder})`);
    const rest = found.length > MAX_NAMED_TOOLS ? ` and ${found.length - MAX_NAMED_TOOLS} more` : "";
    const message = `the agent does not get these tools of its sources, because other tools of the agent have the same name for models: ${named.join(", ")}${rest}; rename one of them, or list the tools that the agent needs`;
    return { severity: "warning", path: `tools[${index}]`, code: "NAME_CONFLICT", message };
  });
}

function remedyFor(hosts: readonly string[]): string {
  if (hosts.length === 0) return "; set it to true";
  const rest = hosts.length > MAX_NAMED_HOSTS ? ` and ${hosts.length - MAX_NAMED_HOSTS} more` : "";
  return `; set it to true to allow requests to ${hosts.slice(0, MAX_NAMED_HOSTS).join(", ")}${rest}`;
}

/** Returns the hosts, with their ports, to which the tools of a reference send requests. */
function hostsOf({ settings, tools }: CheckedSource, { tools: wanted }: ToolSourceReference): readonly string[] {
  const referenced = tools.filter(({ tool }) => wanted === undefined || wanted.includes(tool.name));
  const urls = referenced.flatMap(({ tool: { published, accepted }, offered }) => {
    const version = offered ?? published ?? accepted;
    return version === null ? [] : [urlOf(version.compiled.definition)];
  });
  const known = urls.length === 0 && settings.kind === "mcp" ? [settings.url] : urls;
  return [...new Set(known.flatMap((url) => URL.parse(url)?.host ?? []))];
}

function urlOf(definition: SourcedDefinition): string {
  if ("mcp" in definition) return definition.mcp.url;
  return "rest" in definition ? definition.rest.url : definition.handler;
}
