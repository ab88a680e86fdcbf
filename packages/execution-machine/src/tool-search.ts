import { MAX_TOOLS_PER_AGENT } from "@yagate/protocol";
import type { EventLog } from "./event-log.ts";
import type { ExecutionState } from "./state.ts";

/**
 * Returns how many more tools an execution can load: a model turn carries the tools that are always shown, the search,
 * and all loaded tools.
 */
export function roomForTools({ toolSearch, loadedTools }: Pick<ExecutionState, "toolSearch" | "loadedTools">): number {
  const carried = (toolSearch?.shown.length ?? 0) + 1 + loadedTools.length;
  return Math.max(0, MAX_TOOLS_PER_AGENT - carried);
}

/** Records the deferred tools that a call has loaded, as many as a model turn can carry, without those loaded before. */
export function loadTools(
  log: EventLog,
  toolCallId: string,
  names: readonly string[] | undefined,
  reason: "search" | "call",
): void {
  const { toolSearch, loadedTools } = log.state;
  if (names === undefined || toolSearch === null) return;
  const known = new Set([...toolSearch.shown, ...loadedTools.map(({ name }) => name)]);
  const tools = [...new Set(names)].filter((name) => !known.has(name)).slice(0, roomForTools(log.state));
  if (tools.length > 0) log.append({ type: "tools.loaded", toolCallId, tools, reason });
}
