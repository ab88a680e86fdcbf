import type { EventLog } from "./event-log.ts";

/** Records the deferred tools that a call has loaded, without those that were loaded before. */
export function loadTools(
  log: EventLog,
  toolCallId: string,
  names: readonly string[] | undefined,
  reason: "search" | "call",
): void {
  const { toolSearch, loadedTools } = log.state;
  if (names === undefined || toolSearch === null) return;
  const known = new Set([...toolSearch.shown, ...loadedTools.map(({ name }) => name)]);
  const tools = [...new Set(names)].filter((name) => !known.has(name));
  if (tools.length > 0) log.append({ type: "tools.loaded", toolCallId, tools, reason });
}
