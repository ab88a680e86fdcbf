import { createWildcard } from "@yagate/lib/text/wildcard";
import type { Agent } from "@yagate/protocol";
import type { AgentFinding } from "@yagate/tool-definitions/agent-finding";
import { oneLineTools } from "@yagate/tool-search/one-line-tools";
import { isSearchable, TOOL_SEARCH } from "@yagate/tool-search/search-definition";
import type { Toolset } from "../port.ts";

/** Maximum number of tools that a warning names. */
const MAX_NAMED_TOOLS = 5;

/**
 * Warns about settings of tool search that have no effect, and about deferred tools that say too little about
 * themselves to be found.
 */
export function checkToolSearch(
  { toolSearch }: Pick<Agent, "toolSearch">,
  { tools, search }: Pick<Toolset, "tools" | "search">,
): readonly AgentFinding[] {
  if (toolSearch === undefined || toolSearch.mode === "off") return [];
  const names = [...tools.keys()];
  if (search === undefined && !isSearchable(names)) {
    const message = `the agent has a tool named ${TOOL_SEARCH}, so its model cannot search for tools and every model turn carries all of them; rename the tool`;
    return [{ severity: "warning", path: "tools", code: "TOOL_SEARCH_UNAVAILABLE", message }];
  }
  const unused = toolSearch.pinned.flatMap((pattern, index): readonly AgentFinding[] => {
    if (names.some(createWildcard(pattern))) return [];
    const message = `expected the name of a tool of the agent, or a pattern that some name matches; ${pattern} matches none`;
    return [{ severity: "warning", path: `toolSearch.pinned[${index}]`, code: "PIN_UNUSED", message }];
  });
  if (search === undefined) return unused;
  const carried = new Set([...search.shown, TOOL_SEARCH]);
  const deferred = [...tools.values()].filter(({ name }) => !carried.has(name));
  return [...unused, ...describeShort(oneLineTools(deferred), deferred.length)];
}

function describeShort(short: readonly string[], deferred: number): readonly AgentFinding[] {
  if (short.length === 0) return [];
  const rest = short.length > MAX_NAMED_TOOLS ? ` and ${short.length - MAX_NAMED_TOOLS} more` : "";
  const named = `${short.slice(0, MAX_NAMED_TOOLS).join(", ")}${rest}`;
  const message = `${short.length} of the ${deferred} deferred tools have a description of one line and no described parameters, so a search often misses them: ${named}; describe when to use them and what each parameter means, or pin them`;
  return [{ severity: "warning", path: "tools", code: "DESCRIPTION_SHORT", message }];
}
