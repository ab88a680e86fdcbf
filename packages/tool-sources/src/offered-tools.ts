import { toolNameKey } from "@yagate/lib/text/tool-name-key";
import type { SourceToolState, ToolSourceSettings } from "@yagate/protocol";
import type { KnownTool, ToolDefinitionVersion } from "./port.ts";
import { sourcedToolName } from "./sourced-tool-name.ts";

/** A tool of a source, and whether new executions get it. */
export interface JudgedTool {
  readonly tool: KnownTool;
  readonly toolName: string;
  readonly state: SourceToolState;
  /** The definition that new executions get; null if the tool is off. */
  readonly offered: ToolDefinitionVersion | null;
  /** Why a tool that could be offered is off; null in all other cases. */
  readonly conflict: { readonly code: "NAME_CONFLICT"; readonly message: string } | null;
}

/**
 * Decides for every tool of a source whether new executions get it, in the order of their names. If two tools have the
 * same name for models, the later one is off; a tool without an accepted definition comes after one that has it, so that
 * a newly published tool never takes the place of an accepted one.
 */
export function judgeTools(
  known: readonly KnownTool[],
  { name: source, ...settings }: { readonly name: string } & Pick<ToolSourceSettings, "kind" | "onChange">,
): readonly JudgedTool[] {
  const named = known
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map((tool) => ({ tool, toolName: sourcedToolName(source, tool.name) }));
  const holders = holdersOf(named);
  return named.map(({ tool, toolName }) => {
    const state = stateOf(tool);
    const holder = holders.get(toolNameKey(toolName));
    const hasConflict = tool.published !== null && holder !== undefined && holder !== tool.name;
    const offered = hasConflict ? null : offeredVersion(tool, state, settings);
    return { tool, toolName, state, offered, conflict: hasConflict ? conflictWith(holder) : null };
  });
}

/** Returns which of the published tools has each name for models. */
function holdersOf(tools: readonly Pick<JudgedTool, "tool" | "toolName">[]): ReadonlyMap<string, string> {
  const holders = new Map<string, string>();
  for (const isAccepted of [true, false]) {
    for (const { tool, toolName } of tools) {
      const key = toolNameKey(toolName);
      if (tool.published === null || (tool.accepted !== null) !== isAccepted || holders.has(key)) continue;
      holders.set(key, tool.name);
    }
  }
  return holders;
}

function stateOf({ published, accepted }: KnownTool): SourceToolState {
  if (published === null) return "removed";
  if (accepted === null) return "new";
  return published.hash === accepted.hash ? "accepted" : "changed";
}

function offeredVersion(
  { accepted }: KnownTool,
  state: SourceToolState,
  { kind, onChange }: Pick<ToolSourceSettings, "kind" | "onChange">,
): ToolDefinitionVersion | null {
  // Only of a handler is it known that it still accepts the calls of an earlier definition.
  const isKept = state === "changed" && onChange === "additive" && kind === "handler";
  return state === "accepted" || isKept ? accepted : null;
}

function conflictWith(holder: string): NonNullable<JudgedTool["conflict"]> {
  const message = `the tool has the same name for models as ${holder}: rename one of them, or exclude one`;
  return { code: "NAME_CONFLICT", message };
}
