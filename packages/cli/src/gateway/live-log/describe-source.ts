import type { ToolSourceReport } from "@yagate/gateway";
import { toVisibleLine } from "@yagate/protocol";
import { commandName } from "../../command-name.ts";
import { shellWord } from "../../text/shell-word.ts";
import type { LogEntry } from "./log-entry.ts";

/** Maximum number of tools that a printed command names. */
const MAX_NAMED_TOOLS = 20;

/** Describes what the gateway found at a tool source. */
export function describeSource(report: ToolSourceReport): LogEntry {
  const { at, source } = report;
  const entry = { at, id: source.id };
  if (report.type === "failed") {
    const text = `${report.code} tool source ${source.name}: ${report.message}`;
    return { ...entry, kind: "failed", text, details: [`Try: ${commandName()} sources sync ${source.name}`] };
  }
  const changed = report.changed.map((tool) => {
    const fields = report.changedFields[tool] ?? [];
    return fields.length === 0 ? tool : `${tool} (${fields.join(", ")})`;
  });
  const lists = [
    ["added", report.added],
    ["changed", changed],
    ["removed", report.removed],
  ] as const;
  const parts = lists.filter(([, tools]) => tools.length > 0).map(([what, tools]) => `${what} ${tools.join(", ")}`);
  const text = `tool source ${source.name}: ${parts.join("; ")}`;
  if (report.held.length === 0) return { ...entry, kind: "done", text, details: [] };
  const command = `${commandName()} sources`;
  const review = `${report.held.join(", ")} waiting to be accepted: ${command} diff ${source.name}`;
  const accept = `To accept: ${command} accept ${source.name} ${acceptable(report.held)}`;
  return { ...entry, kind: "waiting", text, details: [review, accept] };
}

/** Names the tools to accept. On a terminal, the command shows their definitions and asks. */
function acceptable(held: readonly string[]): string {
  return held.length > MAX_NAMED_TOOLS ? "--all" : held.map((tool) => shellWord(toVisibleLine(tool))).join(" ");
}
