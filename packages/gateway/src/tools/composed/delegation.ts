import type { ComposedToolDefinition } from "@yagate/protocol";
import { findTarget, type Targets } from "./target.ts";

/** Most delegations on the way from a tool to its primitive. */
export const MAX_DELEGATIONS = 5;

/** The tools that a tool's calls walk through, itself first; a circle ends with the name that it comes back to. */
export function delegationsOf(
  tool: ComposedToolDefinition,
  targets: Targets,
): { readonly names: readonly string[]; readonly isCircle: boolean } {
  const names = new Set([tool.name]);
  for (let next = nextOf(tool, targets); next !== undefined; next = nextOf(next, targets)) {
    if (names.has(next.name)) return { names: [...names, next.name], isCircle: true };
    names.add(next.name);
  }
  return { names: [...names], isCircle: false };
}

function nextOf({ implementation }: ComposedToolDefinition, targets: Targets): ComposedToolDefinition | undefined {
  const target = findTarget(implementation.primitive, targets);
  return target !== undefined && "tool" in target ? target.tool : undefined;
}
