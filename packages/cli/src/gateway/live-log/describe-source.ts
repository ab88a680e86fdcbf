import type { ToolSourceReport } from "@yagate/gateway";
import { commandName } from "../../command-name.ts";
import type { LogEntry } from "./log-entry.ts";

/** Describes what the gateway found at a tool source. */
export function describeSource(report: ToolSourceReport): LogEntry {
  const { at, source } = report;
  const entry = { at, id: source.id };
  if (report.type === "failed") {
    const text = `${report.code} tool source ${source.name}: ${report.message}`;
    return { ...entry, kind: "failed", text, details: [`Try: ${commandName()} sources sync ${source.name}`] };
  }
  const lists = [
    ["added", report.added],
    ["changed", report.changed],
    ["removed", report.removed],
  ] as const;
  const parts = lists.filter(([, tools]) => tools.length > 0).map(([what, tools]) => `${what} ${tools.join(", ")}`);
  const text = `tool source ${source.name}: ${parts.join("; ")}`;
  if (report.held.length === 0) return { ...entry, kind: "done", text, details: [] };
  const review = `${report.held.join(", ")} waiting to be accepted: ${commandName()} sources diff ${source.name}`;
  return { ...entry, kind: "waiting", text, details: [review] };
}
