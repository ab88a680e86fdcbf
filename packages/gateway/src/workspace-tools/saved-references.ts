import { type CompleteToolDefinition, isToolReference, type ToolWarning, YagateError } from "@yagate/protocol";
import type { ToolStore } from "@yagate/store/port";
import { LRUCache } from "lru-cache";
import type { ResolveReferences } from "../tools/toolset/resolve-references.ts";
import { parseComplete } from "./complete-definition.ts";

export interface SavedReferencesOptions {
  readonly tools: Pick<ToolStore, "findVersion">;
  /** Maximum number of tool versions in the cache; default 1,000. */
  readonly maxVersions?: number;
  /** Maximum total length in characters of all cached definitions as JSON; default 64 Mi. */
  readonly maxCharacters?: number;
}

/**
 * Creates the function that replaces references with the definitions to which they were pinned when the agent was
 * saved. The most recently used versions are cached, because a version never changes and several agents may share it.
 *
 * The check of the agent when it was saved already established that its workspace owns these tools.
 */
export function createSavedReferences({
  tools,
  maxVersions = 1_000,
  maxCharacters = 67_108_864,
}: SavedReferencesOptions): ResolveReferences {
  async function read({ tool, version }: PinnedReference): Promise<CompleteToolDefinition> {
    const row = await tools.findVersion(tool, version);
    const parsed = row && parseComplete(row.tool.definition);
    if (row !== undefined && parsed !== undefined && "definition" in parsed) {
      return withWarnings(parsed.definition, row.tool.warnings);
    }
    throw new YagateError("INTERNAL", `expected version ${version} of ${tool}, which a saved agent uses`);
  }

  const definitions = new LRUCache<string, CompleteToolDefinition, PinnedReference>({
    max: maxVersions,
    maxSize: maxCharacters,
    sizeCalculation: (definition) => JSON.stringify(definition).length,
    fetchMethod: (_key, _stale, { context }) => read(context),
    // Code that requested the read may still be waiting for it after the cache entry was evicted.
    ignoreFetchAbort: true,
  });

  return (listed) =>
    Promise.all(
      listed.map((definition) => {
        if (!isToolReference(definition)) return definition;
        const { tool, version } = definition;
        if (version === undefined) throw new YagateError("INTERNAL", "expected a reference with a version");
        return definitions.forceFetch(`${tool}:${version}`, { context: { tool, version } });
      }),
    );
}

/** A reference to one version of a saved tool. */
interface PinnedReference {
  readonly tool: string;
  readonly version: number;
}

/** Adds the warnings to the usage notes, which the model reads. */
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
