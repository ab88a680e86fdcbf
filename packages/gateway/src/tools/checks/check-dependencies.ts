import { type CompleteToolDefinition, isBuiltinTool } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { wantsHosting } from "../toolset/hosted-tool.ts";
import { callOptionsOf, toolName as nameOf } from "../toolset/tool-entry.ts";

/** Checks that tools depend only on tools of the same agent, and that the dependencies contain no cycle. */
export function checkDependencies(tools: readonly CompleteToolDefinition[]): readonly AgentFinding[] {
  const dependsOn = new Map(tools.map((tool) => [nameOf(tool), dependenciesOf(tool)] as const));
  const hosted = new Set(tools.filter((tool) => isBuiltinTool(tool) && wantsHosting(tool)).map(nameOf));
  return tools.flatMap((tool, index) =>
    dependenciesOf(tool).flatMap((name, place): readonly AgentFinding[] => {
      const at = { severity: "error", path: `tools[${index}].dependsOn[${place}]` } as const;
      if (!dependsOn.has(name) || hosted.has(name)) {
        const message = `expected the name of a tool of this agent that the gateway runs, not ${name}`;
        return [{ ...at, code: "UNKNOWN_TOOL", message }];
      }
      const path = pathBetween(name, nameOf(tool), dependsOn);
      if (path === undefined) return [];
      const message = `expected dependencies without a cycle, not ${[nameOf(tool), ...path].join(" → ")}`;
      return [{ ...at, code: "DEPENDENCY_CYCLE", message }];
    }),
  );
}

function dependenciesOf(tool: CompleteToolDefinition): readonly string[] {
  return callOptionsOf(tool).dependsOn ?? [];
}

/**
 * Returns the tools on a path of dependencies from one tool to another, including both; undefined if there is no such
 * path.
 */
function pathBetween(
  from: string,
  to: string,
  dependsOn: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const name of cameFrom.keys()) {
    if (name === to) return pathTo(name, cameFrom);
    for (const next of dependsOn.get(name) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, name);
  }
  return undefined;
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const path: string[] = [];
  for (let name: string | undefined = end; name !== undefined; name = cameFrom.get(name)) path.unshift(name);
  return path;
}
