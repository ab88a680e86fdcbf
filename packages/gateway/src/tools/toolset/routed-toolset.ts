import { toolKey } from "@yagate/execution-machine/execution-config";
import { READ_ARTIFACT } from "@yagate/lib/artifacts/read-artifact-name";
import type { IntentRoute, RouteDecision } from "@yagate/protocol";
import { TOOL_SEARCH } from "@yagate/tool-search/search-definition";
import { LRUCache } from "lru-cache";
import type { HostedTool, RoutedTools, Tool, Toolset } from "../port.ts";
import { refusalOf } from "./refusal.ts";

/** Number of decisions whose tools are kept for a toolset. */
const MAX_ROUTES = 50;
const routesOfToolset = new WeakMap<Toolset, LRUCache<string, Toolset>>();

/**
 * Returns the tools that a decision shows: those of the chosen capabilities, and unless a strict rule hides them the
 * others. The same decision always has the same toolset, so that the model layer converts its tools once.
 */
export function routedToolset(toolset: Toolset, route: RouteDecision | null): Toolset {
  if (toolset.routed === undefined || route === null) return toolset;
  const known = routesOfToolset.get(toolset) ?? new LRUCache({ max: MAX_ROUTES });
  routesOfToolset.set(toolset, known);
  const chosen = route.intents.map((intent) => [intent.tool, versionOf(intent)] as const);
  const key = JSON.stringify([hidesOtherTools(route.rules), route.toolChoice === "forbidden", chosen]);
  const found = known.get(key) ?? withRoute(toolset, toolset.routed, route);
  known.set(key, found);
  return found;
}

function withRoute(
  toolset: Toolset,
  { intents: listed, tools: ready, argumentValidator }: RoutedTools,
  { intents, toolChoice, rules }: RouteDecision,
): Toolset {
  const hidesOthers = hidesOtherTools(rules);
  const routes = new Map(intents.map((route) => [route.tool, route]));
  const isForbidden = toolChoice === "forbidden";
  const tools = new Map<string, Tool>();
  for (const tool of toolset.tools.values()) {
    const shown =
      routes.has(tool.name) && tool.capability !== undefined ? chosenTool(ready, routes.get(tool.name)) : other(tool);
    if (shown !== undefined && !isForbidden) tools.set(shown.name, shown);
  }
  const hosted = listed.flatMap(({ tool, capabilities }): readonly HostedTool[] => {
    const chosen = routes.get(tool)?.chosen ?? null;
    const serving = capabilities.find(({ entry }) => entry.key === chosen)?.hosted;
    return serving === undefined ? [] : [serving];
  });
  const routed: Toolset = {
    ...toolset,
    tools,
    hostedTools: isForbidden ? [] : [...(hidesOthers ? [] : toolset.hostedTools), ...hosted],
    get withArtifacts() {
      return routed;
    },
    refusalOf: (call) => refusalOf(call, tools, argumentValidator),
  };
  return routed;

  function other(tool: Tool): Tool | undefined {
    const isGateways = tool.name === READ_ARTIFACT || tool.name === TOOL_SEARCH;
    return hidesOthers && !isGateways ? undefined : tool;
  }
}

function hidesOtherTools(rules: RouteDecision["rules"]): boolean {
  return rules.some(({ strict }) => strict === true);
}

function chosenTool(ready: RoutedTools["tools"], route: IntentRoute | undefined): Tool | undefined {
  const candidate = route?.candidates.find(({ key }) => key === route.chosen);
  if (route === undefined || candidate === undefined) return undefined;
  const { key, version } = candidate;
  return ready.get(toolKey({ name: route.tool, capability: { key, version } }));
}

function versionOf({ candidates, chosen }: IntentRoute): string | null {
  const candidate = candidates.find(({ key }) => key === chosen);
  return candidate === undefined ? null : `${candidate.key} ${candidate.version}`;
}
