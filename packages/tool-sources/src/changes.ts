import { defined } from "@yagate/lib/objects/defined";
import { jsonObjectSchema, type ToolChange } from "@yagate/protocol";
import { declaredOptions } from "./declared-options.ts";
import { proposedSideEffect } from "./mcp-hints.ts";
import type { JudgedTool } from "./offered-tools.ts";
import type { ToolDefinitionVersion } from "./port.ts";
import { isLaxer } from "./strictness.ts";

/** Lists the tools that differ from what was accepted, with both definitions. */
export function listChanges(tools: readonly JudgedTool[]): readonly ToolChange[] {
  return tools.filter(({ state, conflict }) => state !== "accepted" || conflict !== null).map(toChange);
}

function toChange({ tool: { name, published, accepted }, toolName, state, conflict }: JudgedTool): ToolChange {
  return {
    ...{ name, toolName, state, conflict },
    hash: published?.hash ?? null,
    acceptedHash: accepted?.hash ?? null,
    before: shownDefinition(accepted),
    after: shownDefinition(published),
    isLaxer:
      published !== null &&
      accepted !== null &&
      isLaxer(declaredOptions(accepted.compiled.definition), declaredOptions(published.compiled.definition)),
    isGeneratorChanged: published !== null && accepted !== null && published.raw.generator !== accepted.raw.generator,
    ...hintsOf(published),
  };
}

export function hintsOf(version: ToolDefinitionVersion | null): Pick<ToolChange, "hints"> {
  const annotations = version?.raw.annotations;
  return annotations === undefined
    ? {}
    : { hints: { annotations, proposedSideEffect: proposedSideEffect(annotations) } };
}

/** Returns a definition as people read it; null for a missing one. */
export function shownDefinition(version: ToolDefinitionVersion | null): ToolChange["before"] {
  if (version === null) return null;
  const { definition, outputSchema, security } = version.compiled;
  return jsonObjectSchema.parse({ ...definition, ...defined({ outputSchema }), ...security });
}
