import { newId } from "@yagate/lib/ids/ids";
import { parseModelName } from "@yagate/models/model-name";
import type { Store } from "@yagate/store/port";
import { toAgentCheck } from "@yagate/tool-definitions/agent-finding";
import { createHandlerUrlCheck } from "@yagate/tool-definitions/checks/handler-url-check";
import { createAgentWriter } from "../agents/agent-writer.ts";
import { createPinTools } from "../agents/pinned-tools.ts";
import { createCheckAgentRouting } from "../capabilities/check-agent-routing.ts";
import { checkAgentTools, type ModelCheck } from "../tools/checks/check-agent-tools.ts";
import { createCheckSources } from "../tools/checks/check-sources.ts";
import { checkToolSearch } from "../tools/checks/check-tool-search.ts";
import { intentEntries } from "../tools/toolset/intent-entries.ts";
import { singleTools } from "../tools/toolset/resolve-references.ts";
import { toolName } from "../tools/toolset/tool-entry.ts";
import type { ToolCheckOptions } from "../workspace-tools/tool-check.ts";
import type { ComposedBuiltins } from "./compose-builtins.ts";
import type { EgressPolicies } from "./compose-egress.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { ComposedPlans } from "./compose-plans.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedAgents = ReturnType<typeof composeAgents>;

/** Creates the agent writer, and the checks that apply both to the tools of agents and to workspace tools. */
export function composeAgents(
  { now }: GatewayContext,
  parts: {
    readonly store: Pick<Store, "agents" | "exposedAgents" | "tools">;
    readonly keys: Pick<ComposedKeys, "signingSecrets">;
    readonly plans: Pick<ComposedPlans, "integrations">;
    readonly egress: Pick<EgressPolicies, "perNetworks">;
    readonly secrets: ComposedSecrets;
    readonly webhooks: Pick<ComposedWebhooks, "callbackAddress">;
    readonly models: Pick<ComposedModels, "models">;
    readonly builtins: Pick<ComposedBuiltins, "builtins">;
    readonly tools: Pick<
      ComposedTools,
      "argumentValidator" | "resolveReferences" | "sourceTools" | "routingTables" | "resolveIntents" | "createToolset"
    >;
  },
) {
  const { store, keys, plans, egress, builtins } = parts;
  const { models } = parts.models;
  const { secrets, providers } = parts.secrets;
  const { argumentValidator, resolveReferences, sourceTools, createToolset } = parts.tools;
  const handlerUrlChecks = egress.perNetworks(createHandlerUrlCheck);
  // An integration lists its own ports.
  const integrationUrlChecks = egress.perNetworks((policy) => createHandlerUrlCheck({ ...policy, ports: "any" }));

  async function checkOptionsOf(workspaceId: string): Promise<ToolCheckOptions> {
    const names = new Set((await keys.signingSecrets.list(workspaceId)).map(({ name }) => name));
    return {
      ...{ builtins: builtins.builtins, argumentValidator },
      handlerUrlProblem: handlerUrlChecks.of(workspaceId),
      canBeCalledBack: parts.webhooks.callbackAddress.isReachable,
      hasSigningSecret: async (name) => names.has(name),
      describeSecrets: (secretNames) => secrets.describe(workspaceId, secretNames),
      hasIntegration: async (name) => (await plans.integrations.enabled(workspaceId, [name])).length > 0,
      findSecret: async (name) => (await secrets.describe(workspaceId, [name])).get(name),
    };
  }

  const pin = createPinTools({
    tools: store.tools,
    async findSource(workspaceId, nameOrId) {
      const source = await sourceTools.find(workspaceId, nameOrId);
      return (
        source && { id: source.id, name: source.name, toolNames: new Set(source.tools.map(({ tool }) => tool.name)) }
      );
    },
    assertFewTools: async (workspaceId, agent) => void (await sourceTools.resolve(workspaceId, agent)),
  });
  const agentWriter = createAgentWriter({
    checkRouting: createCheckAgentRouting({
      ...{ readTable: parts.tools.routingTables.find, resolveIntents: parts.tools.resolveIntents },
      createToolset: (agent, intents) => parts.tools.createToolset({ ...agent, tools: [] }, [], intents),
      async toolNamesOf({ tools }) {
        const intents = new Set(intentEntries(tools).map(({ index }) => index));
        const others = singleTools(tools.filter((_tool, index) => !intents.has(index)));
        return (await resolveReferences(others)).map(toolName);
      },
      modelOf: (model) => parseModelName(model) ?? { provider: "", model },
    }),
    async checkSearch(workspaceId, agent) {
      if (agent.toolSearch === undefined) return [];
      const { pins } = await sourceTools.match(workspaceId, agent);
      const toolset = await createToolset(agent, await sourceTools.load(pins));
      return toAgentCheck(checkToolSearch(agent, toolset)).warnings;
    },
    checkSources: createCheckSources({
      find: sourceTools.find,
      conflictsOf: async (workspaceId, agent) => (await sourceTools.match(workspaceId, agent)).conflicts,
    }),
    ...{ agents: store.agents, exposedAgents: store.exposedAgents, pin, isPriced: models.isPriced },
    ...{ now, newAgentId: () => newId("agent") },
    async check(workspaceId, agent, before) {
      const baseUrls = await providers.baseUrls(workspaceId);
      const check: ModelCheck["check"] = (model, tools) => models.check(model, tools, baseUrls);
      const options = await checkOptionsOf(workspaceId);
      return checkAgentTools(agent, { ...options, models: { check }, resolveReferences, before });
    },
  });
  return { agentWriter, checkOptionsOf, integrationUrlCheckOf: integrationUrlChecks.of };
}
