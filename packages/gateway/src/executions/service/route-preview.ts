import type { Agent, KeyRouting, RouteDecision, RoutePreview, routeRequestSchema } from "@yagate/protocol";
import { effectiveRouting } from "@yagate/routing/effective-routing";
import type * as z from "zod";
import type { Toolset } from "../../tools/port.ts";
import { routedToolset } from "../../tools/toolset/routed-toolset.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import { createRouteDecisions, type IsCircuitOpen } from "../run/route-turns.ts";

/** The request whose routes to decide, and who sends it. */
export interface RouteQuestion {
  readonly workspaceId: string;
  readonly agent: Agent;
  readonly request: z.output<typeof routeRequestSchema>;
  readonly keyRouting: KeyRouting | undefined;
}

/** Decides about the first model turn of an execution, without starting it. */
export type PreviewRoute = (question: RouteQuestion) => Promise<RoutePreview>;

export interface PreviewRouteOptions {
  readonly loadAgent: LoadAgent;
  readonly isCircuitOpen: IsCircuitOpen;
  /** @throws InvalidRequestError for unknown intents. */
  readonly assertIntents: (workspaceId: string, intents: readonly string[] | undefined) => Promise<void>;
}

export function createPreviewRoute({ loadAgent, isCircuitOpen, assertIntents }: PreviewRouteOptions): PreviewRoute {
  return async ({ workspaceId, agent, request, keyRouting }) => {
    await assertIntents(workspaceId, request.routing?.intents);
    const { toolset } = await loadAgent({ agentId: agent.id, agentVersion: agent.version });
    const routing = effectiveRouting({ request: request.routing, key: keyRouting, agent: agent.routing });
    const execution = { workspaceId, agent, toolset, request: { ...request, routing }, isCircuitOpen };
    const { decision, unserved } = createRouteDecisions(execution)(1, []);
    const { tools, hostedTools } = routedToolset(toolset, decision);
    return {
      ...decision,
      tools: [...tools.keys(), ...hostedTools.map(({ name }) => name)],
      unserved: [...unserved],
      missingScopes: missingScopes(decision, toolset),
    };
  };
}

function missingScopes({ intents, routing: { scopes = [] } }: RouteDecision, { routed }: Toolset) {
  const refused = new Set(
    intents.flatMap((route) =>
      Object.entries(route.refused).flatMap(([key, code]) => (code === "SCOPES" ? [key] : [])),
    ),
  );
  const entries = (routed?.intents ?? []).flatMap(({ capabilities }) => capabilities.map(({ entry }) => entry));
  return Object.fromEntries(
    entries.flatMap(({ key, requiredScopes }) =>
      refused.has(key) ? [[key, requiredScopes.filter((scope) => !scopes.includes(scope))]] : [],
    ),
  );
}
