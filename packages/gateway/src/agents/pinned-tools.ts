import { meantInstead } from "@yagate/lib/json-schema/closest-word";
import { defined } from "@yagate/lib/objects/defined";
import {
  type Agent,
  type FieldError,
  isBuiltinTool,
  isIntentReference,
  isToolReference,
  isToolSourceReference,
  MAX_TOOL_SLOTS,
  type ToolDefinition,
  type ToolReference,
  type ToolSourceReference,
  YagateError,
} from "@yagate/protocol";
import type { ToolRow, ToolStore } from "@yagate/store/port";

/**
 * An agent's tools with a version in each reference, and the problems found: invalid references and too many tool
 * slots.
 */
export interface PinnedTools {
  /** The tools. A reference that has a problem is left unchanged. */
  readonly tools: Agent["tools"];
  readonly problems: readonly FieldError[];
}

/**
 * Adds the current version of the tool to every reference that does not specify a version.
 *
 * @param saved - the agent's current tools. A reference that is already among them stays valid, even if the tool has
 *   since changed or been archived.
 */
export type PinTools = (
  workspaceId: string,
  tools: readonly ToolDefinition[],
  saved: readonly ToolDefinition[],
  toolSearch?: Agent["toolSearch"],
) => Promise<PinnedTools>;

/** A tool source with the published names of its tools. */
interface FoundSource {
  readonly id: string;
  readonly name: string;
  readonly toolNames: ReadonlySet<string>;
}

/** Finds a tool source of a workspace by its name or id. */
export type FindSource = (workspaceId: string, nameOrId: string) => Promise<FoundSource | undefined>;

export interface PinToolsOptions {
  readonly tools: Pick<ToolStore, "find" | "findVersion">;
  readonly findSource: FindSource;
  /** @throws YagateError `TOO_MANY_TOOLS` if the sources of the agent offer too many tools. */
  readonly assertFewTools: (workspaceId: string, agent: Pick<Agent, "tools" | "toolSearch">) => Promise<void>;
}

/**
 * Creates the function that pins references to workspace tools, replaces the names of tool sources with their ids, and
 * checks the number of tool slots.
 */
export function createPinTools({ tools: store, findSource, assertFewTools }: PinToolsOptions): PinTools {
  const { find, findVersion } = store;

  /** Returns the reference as it is saved, or its problem. */
  async function pinSource(
    workspaceId: string,
    reference: ToolSourceReference,
    saved: readonly ToolSourceReference[],
  ): Promise<ToolSourceReference | FieldError> {
    const known = saved.find(({ source }) => source === reference.source);
    const found = await findSource(workspaceId, reference.source);
    if (found === undefined) {
      if (known !== undefined) return reference;
      return { path: "source", code: "UNKNOWN_TOOL_SOURCE", message: "expected the name or id of a tool source" };
    }
    const keptNames = new Set(saved.find(({ source }) => source === found.id)?.tools);
    const unknown = reference.tools?.findIndex((name) => !found.toolNames.has(name) && !keptNames.has(name)) ?? -1;
    if (unknown === -1) return { ...reference, source: found.id };
    const written = reference.tools?.[unknown] ?? "";
    const message = `expected the published name of a tool of the source${remedyFor(written, found)}`;
    return { path: `tools[${unknown}]`, code: "UNKNOWN_TOOL", message };
  }

  async function tooManyTools(
    workspaceId: string,
    agent: Pick<Agent, "tools" | "toolSearch">,
  ): Promise<readonly FieldError[]> {
    try {
      await assertFewTools(workspaceId, agent);
      return [];
    } catch (error) {
      if (!YagateError.is(error) || error.code !== "TOO_MANY_TOOLS") throw error;
      return [{ path: "tools", code: "TOO_MANY_TOOLS", message: error.message }];
    }
  }

  async function rowOf(workspaceId: string, { tool, version }: ToolReference): Promise<ToolRow | undefined> {
    const row = version === undefined ? await find(workspaceId, tool) : await findVersion(tool, version);
    return row?.workspaceId === workspaceId ? row : undefined;
  }

  return async (workspaceId, tools, saved, toolSearch) => {
    const kept = new Set(saved.filter(isToolReference).map(keyOf));
    const savedSources = saved.filter(isToolSourceReference);
    const sources = new Set<string>();
    const pinned: ToolDefinition[] = [];
    const problems: FieldError[] = [];
    let slots = 0;
    for (const [index, tool] of tools.entries()) {
      if (isToolSourceReference(tool)) {
        slots += 1;
        const pinnedSource = await pinSource(workspaceId, tool, savedSources);
        const problem = "path" in pinnedSource ? pinnedSource : duplicateSource(pinnedSource, sources);
        if (problem !== undefined) problems.push({ ...problem, path: `tools[${index}].${problem.path}` });
        pinned.push("path" in pinnedSource ? tool : pinnedSource);
        continue;
      }
      if (!isToolReference(tool)) {
        slots += isBuiltinTool(tool) ? 0 : 1;
        pinned.push(tool);
        continue;
      }
      const row = await rowOf(workspaceId, tool);
      slots += row?.tool.slots ?? 1;
      const problem = kept.has(keyOf(tool)) && row !== undefined ? undefined : problemOf(tool, row);
      if (problem !== undefined) problems.push({ ...problem, path: `tools[${index}].${problem.path}` });
      pinned.push(problem === undefined && row !== undefined ? { tool: tool.tool, version: row.tool.version } : tool);
    }
    if (slots > MAX_TOOL_SLOTS) problems.push(tooManySlots(slots));
    if (problems.length === 0 && sources.size > 0)
      problems.push(...(await tooManyTools(workspaceId, { tools: pinned, ...defined({ toolSearch }) })));
    return { tools: pinned, problems };
  };
}

/** Says which published name was probably meant; empty if none is similar. */
function remedyFor(written: string, { name, toolNames }: FoundSource): string {
  const published = written.startsWith(`${name}.`) ? written.slice(name.length + 1) : "";
  return toolNames.has(published)
    ? `: { "source": "${name}", "tools": ["${published}"] }`
    : meantInstead(written, toolNames);
}

/** Returns the problem of a second reference to a source, and remembers the first one. */
function duplicateSource({ source }: ToolSourceReference, sources: Set<string>): FieldError | undefined {
  if (!sources.has(source)) {
    sources.add(source);
    return undefined;
  }
  const message = "expected one reference to each tool source: list all of its tools there";
  return { path: "source", code: "DUPLICATE_TOOL_SOURCE", message };
}

function keyOf({ tool, version }: ToolReference): string {
  return `${tool}:${version}`;
}

function problemOf({ version }: ToolReference, row: ToolRow | undefined): FieldError | undefined {
  if (row === undefined) {
    const what = version === undefined ? "a tool of this workspace" : "an existing version of a tool of this workspace";
    return { path: "tool", code: "UNKNOWN_TOOL", message: `expected ${what}` };
  }
  if (row.archivedAt !== null) {
    return {
      path: "tool",
      code: "ARCHIVED_TOOL",
      message: `expected a tool that is not archived; ${row.tool.name} is archived`,
    };
  }
  if (row.tool.status === "created") return undefined;
  const { name, status } = row.tool;
  const message = `expected a tool with the status created; version ${row.tool.version} of ${name} is ${status}: test, validate and finalize it first`;
  return { path: "tool", code: "TOOL_NOT_CREATED", message };
}

function tooManySlots(slots: number): FieldError {
  const message =
    `expected tools that use at most ${MAX_TOOL_SLOTS} slots; these use ${slots}: remove some, or divide the work among ` +
    "several agents (a handler, composed, REST or workspace tool uses one slot unless it declares more; so does each tool source; a built-in tool uses none)";
  return { path: "tools", code: "TOO_MANY_SLOTS", message };
}

/**
 * Returns the agent without its broken references, its intents and its references to tool sources, which are checked
 * elsewhere, and a function that converts paths in it to paths in the original tools.
 */
export function withoutBroken(
  agent: Agent,
  problems: readonly FieldError[],
): { readonly sound: Agent; readonly placeOf: (path: string) => string } {
  const broken = new Set(problems.map(({ path }) => /^tools\[(\d+)\]/.exec(path)?.[1]));
  const indexes = [...agent.tools.entries()]
    .filter(([index, tool]) => {
      return !isToolSourceReference(tool) && !isIntentReference(tool) && !broken.has(String(index));
    })
    .map(([index]) => index);
  const tools = indexes.flatMap((index) => agent.tools.slice(index, index + 1));
  return {
    sound: indexes.length === agent.tools.length ? agent : { ...agent, tools },
    placeOf(path) {
      const [start = "", index = ""] = /^tools\[(\d+)\]/.exec(path) ?? [];
      if (start === "") return path;
      const place = `tools[${indexes[Number(index)] ?? index}]`;
      const tool = tools[Number(index)];
      // The author wrote only the id, so a problem inside the tool is reported at the path of the reference.
      return tool !== undefined && isToolReference(tool) ? `${place}.tool` : `${place}${path.slice(start.length)}`;
    },
  };
}
