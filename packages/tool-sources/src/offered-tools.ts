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
 * same name for models, the later one is off.
 */
export function judgeTools(
  known: readonly KnownTool[],
  { name: source, ...settings }: { readonly name: string } & Pick<ToolSourceSettings, "kind" | "onChange">,
): readonly JudgedTool[] {
  const taken = new Map<string, string>();
  return known
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map((tool) => {
      const toolName = sourcedToolName(source, tool.name);
      const state = stateOf(tool);
      const candidate = offeredVersion(tool, state, settings);
      const holder = taken.get(toolNameKey(toolName));
      if (tool.published !== null && holder === undefined) taken.set(toolNameKey(toolName), tool.name);
      const conflict = tool.published === null || holder === undefined ? null : conflictWith(holder);
      return { tool, toolName, state, offered: conflict === null ? candidate : null, conflict };
    });
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
