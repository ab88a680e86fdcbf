import { type CompleteToolDefinition, isToolReference, type ToolWarning, YagateError } from "@yagate/protocol";
import type { ToolStore } from "@yagate/store/rows/tool-rows";
import { createRecentlyUsed, MAX_KEPT_DEFINITION_CHARACTERS } from "../tools/toolset/recently-used.ts";
import type { ResolveReferences } from "../tools/toolset/resolve-references.ts";
import { parseComplete } from "./complete-definition.ts";

export interface SavedReferencesOptions {
  readonly tools: Pick<ToolStore, "findVersion">;
  /** Versions of tools kept, the most recently used ones; default 1 000. */
  readonly cacheSize?: number;
  /** Of all definitions kept; default 64 Mi. */
  readonly maxKeptCharacters?: number;
}

/**
 * Puts in the place of references what was saved under them. A version never changes, so that each is read and parsed
 * once for as long as it is kept.
 *
 * Whose tools they are was checked when the agent was saved.
 */
export function createSavedReferences({
  tools,
  cacheSize = 1_000,
  maxKeptCharacters = MAX_KEPT_DEFINITION_CHARACTERS,
}: SavedReferencesOptions): ResolveReferences {
  const kept = createRecentlyUsed<CompleteToolDefinition>(
    { maxEntries: cacheSize, maxCharacters: maxKeptCharacters },
    (definition) => JSON.stringify(definition).length,
  );

  async function read(toolId: string, version: number): Promise<CompleteToolDefinition> {
    const row = await tools.findVersion(toolId, version);
    const parsed = row && parseComplete(row.tool.definition);
    if (row !== undefined && parsed !== undefined && "definition" in parsed) {
      return withWarnings(parsed.definition, row.tool.warnings);
    }
    throw new YagateError("INTERNAL", `expected the version ${version} of ${toolId} that an agent was saved with`);
  }

  function definitionOf(toolId: string, version: number): Promise<CompleteToolDefinition> {
    return kept.get(`${toolId}:${version}`, () => read(toolId, version));
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
  const lines = warnings.map(({ severity, message }) => `${SEVERITIES[severity]}: ${message}`);
  if ("rest" in definition) return { rest: { ...definition.rest, ...notes(definition.rest.usageNotes, lines) } };
  return { ...definition, ...notes(definition.usageNotes, lines) };
}

const SEVERITIES = { info: "Note", warning: "Warning", critical: "Critical" } as const;

function notes(usageNotes: string | undefined, lines: readonly string[]): { readonly usageNotes: string } {
  return { usageNotes: [...(usageNotes === undefined ? [] : [usageNotes]), ...lines].join("\n") };
}
