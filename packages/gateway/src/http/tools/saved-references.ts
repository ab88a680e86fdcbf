import { type CompleteToolDefinition, isToolReference, type ToolWarning, YagateError } from "@yagate/protocol";
import type { ToolStore } from "../../journal/tool-rows.ts";
import type { ResolveReferences } from "../../tools/resolve-references.ts";
import { parseComplete } from "./complete-definition.ts";

export interface SavedReferencesOptions {
  readonly tools: Pick<ToolStore, "findVersion">;
  /** Versions of tools kept, the most recently used ones; default 1 000. */
  readonly cacheSize?: number;
}

/**
 * Puts in the place of references what was saved under them. A version never changes, so that each is read and parsed
 * once for as long as it is kept.
 *
 * Whose tools they are was checked when the agent was saved.
 */
export function createSavedReferences({ tools, cacheSize = 1_000 }: SavedReferencesOptions): ResolveReferences {
  const kept = new Map<string, Promise<CompleteToolDefinition>>();

  async function read(toolId: string, version: number): Promise<CompleteToolDefinition> {
    const row = await tools.findVersion(toolId, version);
    const parsed = row && parseComplete(row.tool.definition);
    if (row !== undefined && parsed !== undefined && "definition" in parsed) {
      return withWarnings(parsed.definition, row.tool.warnings);
    }
    throw new YagateError("INTERNAL", `expected the version ${version} of ${toolId} that an agent was saved with`);
  }

  function definitionOf(toolId: string, version: number): Promise<CompleteToolDefinition> {
    const key = `${toolId}:${version}`;
    const known = kept.get(key);
    const definition = known ?? read(toolId, version);
    if (known === undefined) definition.catch(() => kept.delete(key));
    // A Map lists keys in the order of insertion: the first one was used longest ago.
    kept.delete(key);
    kept.set(key, definition);
    const [oldest] = kept.keys();
    if (kept.size > cacheSize && oldest !== undefined) kept.delete(oldest);
    return definition;
  }

  return (listed) =>
    Promise.all(
      listed.map((tool) => {
        if (!isToolReference(tool)) return tool;
        if (tool.version !== undefined) return definitionOf(tool.tool, tool.version);
        throw new YagateError("INTERNAL", "expected a reference that was saved with a version");
      }),
    );
}

/** The definition with its warnings among the notes that the model reads. */
function withWarnings(definition: CompleteToolDefinition, warnings: readonly ToolWarning[]): CompleteToolDefinition {
  if (warnings.length === 0 || "builtin" in definition) return definition;
  const lines = warnings.map(({ level, text }) => `${LEVELS[level]}: ${text}`);
  if ("rest" in definition) return { rest: { ...definition.rest, ...notes(definition.rest.usageNotes, lines) } };
  return { ...definition, ...notes(definition.usageNotes, lines) };
}

const LEVELS = { info: "Note", warning: "Warning", critical: "Critical" } as const;

function notes(usageNotes: string | undefined, lines: readonly string[]): { readonly usageNotes: string } {
  return { usageNotes: [...(usageNotes === undefined ? [] : [usageNotes]), ...lines].join("\n") };
}
