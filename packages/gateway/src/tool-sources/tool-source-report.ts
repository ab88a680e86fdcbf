import type { ToolSourceRow } from "@yagate/store/port";
import { changedFields } from "@yagate/tool-sources/changed-fields";
import type { KnownTool } from "@yagate/tool-sources/port";
import type { ToolSourceReport } from "../config/development-config.ts";

/**
 * Describes what a sync found.
 *
 * @param known - the tools before the sync.
 * @param changes - the new states of the tools that differ.
 * @returns undefined if the published tools are the same as before.
 */
export function reportChanges(
  { id, name }: Pick<ToolSourceRow, "id" | "name">,
  known: readonly KnownTool[],
  changes: readonly KnownTool[],
  at: number,
): ToolSourceReport | undefined {
  const report = publishedChanges(known, changes);
  if (report.added.length + report.changed.length + report.removed.length === 0) return undefined;
  const fields = fieldsOfChanged(known, changes);
  return { type: "changed", at: new Date(at).toISOString(), source: { id, name }, ...report, changedFields: fields };
}

/** Returns the fields that a sync changes in each changed tool, by the names that models read. */
function fieldsOfChanged(
  known: readonly KnownTool[],
  changes: readonly KnownTool[],
): Readonly<Record<string, readonly string[]>> {
  const toolsBefore = new Map(known.map((tool) => [tool.name, tool]));
  const entries = changes.flatMap(({ name, published }) => {
    const { accepted = null, published: previous = null } = toolsBefore.get(name) ?? {};
    const before = accepted !== null && accepted.hash !== published?.hash ? accepted : previous;
    if (published === null || previous === null || before === null || previous.hash === published.hash) return [];
    return [[published.compiled.toolName, changedFields(before, published)] as const];
  });
  return Object.fromEntries(entries);
}

/** Names the tools whose published definitions a sync changes, as models read them, and those of them that are held. */
export function publishedChanges(
  known: readonly KnownTool[],
  changes: readonly KnownTool[],
): Record<"added" | "changed" | "removed" | "held", string[]> {
  const publishedBefore = new Map(known.map((tool) => [tool.name, tool.published]));
  const report: Record<"added" | "changed" | "removed" | "held", string[]> = {
    ...{ added: [], changed: [], removed: [], held: [] },
  };
  for (const { name: tool, published, accepted } of changes) {
    const before = publishedBefore.get(tool) ?? null;
    if (published?.hash === before?.hash) continue;
    const toolName = (published ?? before)?.compiled.toolName ?? tool;
    report[published === null ? "removed" : before === null ? "added" : "changed"].push(toolName);
    if (published !== null && published.hash !== accepted?.hash) report.held.push(toolName);
  }
  return report;
}
