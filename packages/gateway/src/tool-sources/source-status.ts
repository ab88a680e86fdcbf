import type { ToolSourceRow } from "@yagate/store/port";
import { judgeTools } from "@yagate/tool-sources/offered-tools";
import type { KnownTool } from "@yagate/tool-sources/port";

/** Returns the state of all tools after a change. */
export function merged(known: readonly KnownTool[], changes: readonly KnownTool[]): readonly KnownTool[] {
  const tools = new Map([...known, ...changes].map((tool) => [tool.name, tool]));
  return [...tools.values()].filter(({ published, accepted }) => published !== null || accepted !== null);
}

/** Returns the status of a source whose latest sync succeeded. */
export function statusOf(
  tools: readonly KnownTool[],
  { name, settings }: Pick<ToolSourceRow, "name" | "settings">,
): "ready" | "changed" {
  const judged = judgeTools(tools, { name, ...settings });
  return judged.some(({ state }) => state === "new" || state === "changed") ? "changed" : "ready";
}
