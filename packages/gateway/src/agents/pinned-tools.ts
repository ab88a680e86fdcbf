import {
  type Agent,
  type FieldError,
  isBuiltinTool,
  isToolReference,
  MAX_TOOL_SLOTS,
  type ToolDefinition,
  type ToolReference,
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
) => Promise<PinnedTools>;

/** Creates the function that pins references to workspace tools and checks the number of tool slots. */
export function createPinTools({ find, findVersion }: Pick<ToolStore, "find" | "findVersion">): PinTools {
  async function rowOf(workspaceId: string, { tool, version }: ToolReference): Promise<ToolRow | undefined> {
    const row = version === undefined ? await find(workspaceId, tool) : await findVersion(tool, version);
    return row?.workspaceId === workspaceId ? row : undefined;
  }

  return async (workspaceId, tools, saved) => {
    const kept = new Set(saved.filter(isToolReference).map(keyOf));
    const pinned: ToolDefinition[] = [];
    const problems: FieldError[] = [];
    let slots = 0;
    for (const [index, tool] of tools.entries()) {
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
    return { tools: pinned, problems: slots > MAX_TOOL_SLOTS ? [...problems, tooManySlots(slots)] : problems };
  };
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
    "several agents (a handler, composed, REST or workspace tool uses one slot unless it declares more; a built-in tool uses none)";
  return { path: "tools", code: "TOO_MANY_SLOTS", message };
}

/**
 * Returns the agent without its broken references, and a function that converts paths in it to paths in the original
 * tools.
 */
export function withoutBroken(
  agent: Agent,
  problems: readonly FieldError[],
): { readonly sound: Agent; readonly placeOf: (path: string) => string } {
  const broken = new Set(problems.map(({ path }) => /^tools\[(\d+)\]/.exec(path)?.[1]));
  const indexes = agent.tools.map((_, index) => index).filter((index) => !broken.has(String(index)));
  const tools = indexes.flatMap((index) => agent.tools.slice(index, index + 1));
  return {
    sound: broken.size === 0 ? agent : { ...agent, tools },
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
