import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { resolveBuiltinName } from "@yagate/builtins/builtin-tools";
import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import { defined } from "@yagate/lib/objects/defined";
import type { BuiltinToolDefinition, FieldError } from "@yagate/protocol";
import type { CapabilityEntry } from "@yagate/routing/capability-entry";
import type { ToolRow, ToolStore } from "@yagate/store/port";
import type { SourceTools } from "../tool-sources/source-tools.ts";
import { primitiveOf } from "../tools/http/primitives/primitives.ts";
import type { ResolvedTarget } from "../tools/port.ts";
import { wantsHosting } from "../tools/toolset/hosted-tool.ts";
import type { ResolveReferences } from "../tools/toolset/resolve-references.ts";

export interface CapabilityTargetOptions {
  /** Built-in tools by name. */
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly tools: Pick<ToolStore, "find">;
  readonly resolveReferences: ResolveReferences;
  readonly sourceTools: Pick<SourceTools, "find" | "load">;
}

/** Finds what a capability refers to. */
export type ResolveTarget = (workspaceId: string, entry: Pick<CapabilityEntry, "target">) => Promise<ResolvedTarget>;

export function createResolveTarget(options: CapabilityTargetOptions): ResolveTarget {
  const { builtins, tools, resolveReferences, sourceTools } = options;

  async function ofTool(workspaceId: string, id: string): Promise<ResolvedTarget> {
    const row = await tools.find(workspaceId, id);
    const problem = row === undefined ? UNKNOWN_TOOL : problemOfTool(row);
    if (row === undefined || problem !== undefined) return { problem: problem ?? UNKNOWN_TOOL };
    const [definition] = await resolveReferences([{ tool: id, version: row.tool.version }]);
    return definition === undefined ? { problem: UNKNOWN_TOOL } : { definition };
  }

  async function ofSource(workspaceId: string, nameOrId: string, name: string): Promise<ResolvedTarget> {
    const source = await sourceTools.find(workspaceId, nameOrId);
    if (source === undefined) {
      const message = "expected the name or id of a tool source";
      return { problem: { path: "target.source", code: "UNKNOWN_TOOL_SOURCE", message } };
    }
    const found = source.tools.find(({ tool }) => tool.name === name);
    if (found === undefined) {
      const names = source.tools.map(({ tool }) => tool.name);
      const message = `expected the published name of a tool of the source${publishedInstead(name, names)}`;
      return { problem: { path: "target.tool", code: "UNKNOWN_TOOL", message } };
    }
    if (found.offered === null) {
      const message = `expected an accepted tool: ${name} is ${found.state}`;
      return { problem: { path: "target.tool", code: "TOOL_HELD", message } };
    }
    const { toolName, offered } = found;
    const pin = { source: source.id, tool: name, name: toolName, hash: offered.hash };
    const [sourced] = await sourceTools.load([pin]);
    if (sourced === undefined) throw new Error("expected the definition of a tool that its source offers");
    return { sourced, isMcp: source.settings.kind === "mcp" };
  }

  return async (workspaceId, { target }) => {
    if ("hosted" in target) return { hosted: target.hosted };
    if ("builtin" in target)
      return ofBuiltin({ builtin: target.builtin, ...defined({ config: target.config }) }, builtins);
    return "source" in target ? ofSource(workspaceId, target.source, target.tool) : ofTool(workspaceId, target.tool);
  };
}

/** Names the published tool that was probably meant, also for a name with the name of the source; else some of them. */
function publishedInstead(name: string, published: readonly string[]): string {
  const ending = published.find((one) => name.endsWith(`.${one}`));
  if (ending !== undefined) return `: did you mean ${ending}?`;
  const shown = published.slice(0, MAX_NAMED).join(", ");
  return meantInstead(name, published) || (shown === "" ? "" : `, such as ${shown}`);
}

/** Number of published names in a message. */
const MAX_NAMED = 10;

const UNKNOWN_TOOL: FieldError = {
  ...{ path: "target.tool", code: "UNKNOWN_TOOL", message: "expected a tool of this workspace" },
};

function problemOfTool({ tool: { name, status }, archivedAt }: ToolRow): FieldError | undefined {
  const path = "target.tool";
  if (archivedAt !== null) {
    return { path, code: "ARCHIVED_TOOL", message: `expected a tool that is not archived; ${name} is archived` };
  }
  if (status === "created") return undefined;
  const message = `expected a tool with the status created; ${name} is ${status}`;
  return { path, code: "TOOL_NOT_CREATED", message };
}

function ofBuiltin(definition: BuiltinToolDefinition, builtins: CapabilityTargetOptions["builtins"]): ResolvedTarget {
  const name = resolveBuiltinName(definition.builtin) ?? definition.builtin;
  const builtin = builtins.get(name);
  if (builtin === undefined || primitiveOf(name) !== undefined || name === READ_ARTIFACT) {
    const message = `expected another built-in tool: ${name} cannot serve an intent`;
    return { problem: { path: "target.builtin", code: "TARGET_UNSUPPORTED", message } };
  }
  if (wantsHosting(definition)) {
    const message = "expected a target { hosted } for a tool that the provider runs itself";
    return { problem: { path: "target.config.providerHosted", code: "TARGET_UNSUPPORTED", message } };
  }
  const configured = builtin.configure?.(definition.config ?? {});
  const [problem] = configured !== undefined && "problems" in configured ? configured.problems : [];
  if (problem === undefined) return { definition };
  return { problem: { ...problem, path: problem.path === "" ? "target.config" : `target.config.${problem.path}` } };
}
