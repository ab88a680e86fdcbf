import type { ComposedToolDefinition, SideEffect } from "@yagate/protocol";
import type { CompiledComposedTool } from "./compile-composed-tool.ts";

/** What a composed tool does to the world: as its author says, else nothing for a GET or a computation; null where nobody knows. */
export function composedSideEffect(
  { sideEffect }: Pick<ComposedToolDefinition, "sideEffect">,
  compiled: CompiledComposedTool,
): SideEffect | null {
  if (sideEffect !== undefined) return sideEffect;
  return compiled.kind === "compute" || compiled.method === "GET" ? "read_only" : null;
}
