import { createEgressGuard, createOpenedHosts } from "@yagate/egress";
import type { Store } from "@yagate/store/port";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { createIndexCache } from "@yagate/tool-search/index-cache";
import { createResolveTarget } from "../capabilities/capability-targets.ts";
import { createResolveIntents } from "../capabilities/resolve-intents.ts";
import { createRoutingTables } from "../capabilities/routing-table.ts";
import { createLoadAgent } from "../executions/run/loaded-agents.ts";
import { createSourceTools } from "../tool-sources/source-tools.ts";
import { createWithdrawalCheck } from "../tool-sources/withdrawal-check.ts";
import type { HostedTool } from "../tools/port.ts";
import { type CreateToolset, createToolset } from "../tools/toolset/toolset.ts";
import { createSavedReferences } from "../workspace-tools/saved-references.ts";
import type { ComposedBuiltins } from "./compose-builtins.ts";
import type { EgressPolicies } from "./compose-egress.ts";
import { composeMcp } from "./compose-mcp.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { ComposedOAuth } from "./compose-oauth.ts";
import type { ComposedPlans } from "./compose-plans.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import { cacheAge, type GatewayContext } from "./gateway-context.ts";

/** Stands for the tools that the gateway runs, where only their presence matters. */
const OTHER_TOOL = { name: "other", description: "Another tool.", parameters: { type: "object" } };

export type ComposedTools = ReturnType<typeof composeTools>;

/** Creates the loader of agents with their tools. Network tools and signed calls share no connections. */
export function composeTools(
  context: GatewayContext,
  parts: {
    readonly store: Pick<
      Store,
      "agents" | "tools" | "toolSources" | "eventStore" | "intents" | "capabilities" | "isExclusive"
    >;
    readonly egress: Pick<EgressPolicies, "perNetworks">;
    readonly plans: Pick<ComposedPlans, "networkLimits" | "integrations">;
    readonly secrets: Pick<ComposedSecrets, "secrets">;
    readonly oauth: Pick<ComposedOAuth, "accessTokens">;
    readonly webhooks: Pick<ComposedWebhooks, "dispatcher">;
    readonly models: Pick<ComposedModels, "models">;
    readonly builtins: Pick<ComposedBuiltins, "builtins">;
  },
) {
  const { config, logger, now, onError } = context;
  const { store, egress, plans, secrets, oauth, webhooks, models, builtins } = parts;
  // A person configured each of these hosts, so the networks that are allowlisted for the workspace apply to them.
  const perNetworks = egress.perNetworks((policy) => ({
    integration: createEgressGuard({ ...policy, ports: "any" }),
    authored: createEgressGuard(policy),
    hasOpenedNetworks: (policy.allowCidrs ?? []).length > 0,
    isOpened: createOpenedHosts(policy),
  }));
  const argumentValidator = createArgumentValidator();
  const mcp = composeMcp(context, { store, egress, plans, secrets, oauth });
  const resolveReferences = createSavedReferences({ tools: store.tools });
  const sourceTools = createSourceTools({ store: store.toolSources, resolveReferences, now, onError });
  const routingTables = createRoutingTables(store, { now, ...cacheAge(store) });
  const resolveTarget = createResolveTarget({
    ...{ builtins: builtins.builtins, tools: store.tools, resolveReferences, sourceTools },
  });
  const withdrawalCheck = createWithdrawalCheck(store.toolSources);
  const toolsetOptions = {
    dispatcher: webhooks.dispatcher,
    builtins: builtins.builtins,
    argumentValidator,
    toolIndexes: createIndexCache(),
    canHost: (model: string, tool: HostedTool, hasOtherTools: boolean) =>
      models.models
        .check(model, hasOtherTools ? [tool, OTHER_TOOL] : [tool])
        .every(({ severity }) => severity !== "error"),
    resolveReferences,
    sources: { ...withdrawalCheck, onUnknownTool: sourceTools.onUnknownTool },
    now,
    onError,
    mcp: mcp.services,
    network: {
      egressOf: perNetworks.of,
      secrets: secrets.secrets,
      limits: plans.networkLimits,
      integrations: plans.integrations,
      ports: config.allowPorts,
      now,
      onError: (error: unknown, { executionId, toolCallId }: { executionId: string; toolCallId: string }) =>
        logger.error({ error, executionId, toolCallId }, "a call had an unexpected error"),
    },
  };
  const createAgentToolset: CreateToolset = (agent, sourced, intents) =>
    createToolset(agent, toolsetOptions, sourced, intents);
  const resolveIntents = createResolveIntents(routingTables.find, resolveTarget);
  const { eventStore } = store;
  return {
    argumentValidator,
    resolveReferences,
    sourceTools,
    routingTables,
    resolveTarget,
    resolveIntents,
    onAdopted: withdrawalCheck.onAdopted,
    mcp,
    loadAgent: createLoadAgent({
      ...{ agents: store.agents, createToolset: createAgentToolset, sources: sourceTools, eventStore, resolveIntents },
    }),
    createToolset: createAgentToolset,
    close: () =>
      Promise.all([
        mcp.close(),
        ...perNetworks.made().flatMap(({ integration, authored }) => [integration.close(), authored.close()]),
      ]),
  };
}
