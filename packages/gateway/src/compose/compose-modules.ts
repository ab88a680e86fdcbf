import type { Store } from "@yagate/store/port";
import { composeAgents } from "./compose-agents.ts";
import { composeApi } from "./compose-api.ts";
import { composeBuiltins } from "./compose-builtins.ts";
import { composeConsole } from "./compose-console.ts";
import { composeEgress } from "./compose-egress.ts";
import { composeExecutions } from "./compose-executions.ts";
import { composeKeys } from "./compose-keys.ts";
import { composeMcpAccess } from "./compose-mcp-access.ts";
import { composeModels } from "./compose-models.ts";
import { composeOAuth } from "./compose-oauth.ts";
import { composePlans } from "./compose-plans.ts";
import { composeQuotas } from "./compose-quotas.ts";
import { composeRouting } from "./compose-routing.ts";
import { composeSecrets } from "./compose-secrets.ts";
import { composeStore } from "./compose-store.ts";
import { composeToolSources } from "./compose-tool-sources.ts";
import { composeTools } from "./compose-tools.ts";
import { composeWebhooks } from "./compose-webhooks.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { createSharedNetworksReport } from "./shared-networks-report.ts";

/** Creates the modules of a gateway, in the order in which they depend on each other. Nothing runs yet. */
export async function composeModules(context: GatewayContext, opened: Store) {
  const keys = await composeKeys(context, opened);
  const plans = composePlans(context, opened);
  // Spans contain the host of a model's server. `models` is assigned below, long before the first span is recorded.
  const serverOf = (workspaceId: string, model: string) => models.models.serverOf(workspaceId, model);
  const composedStore = composeStore(context, opened, { keys, plans, serverOf });
  const { store } = composedStore;
  const egress = composeEgress(context, keys);
  const webhooks = await composeWebhooks(context, { store, keys, egress });
  const secrets = await composeSecrets(context, { store, keys });
  const oauth = composeOAuth(context, { store, keys, egress, secrets, webhooks });
  const models = composeModels(context, { egress, secrets });
  const builtins = await composeBuiltins(context, { store, egress });
  const tools = composeTools(context, { store, egress, plans, secrets, oauth, webhooks, models, builtins });
  const routing = composeRouting(context, { store, tools });
  const executions = composeExecutions(context, { store, keys, secrets, models, tools, webhooks });
  const agents = composeAgents(context, { store, keys, plans, egress, secrets, webhooks, models, builtins, tools });
  const sources = composeToolSources(context, { store, keys, webhooks, oauth, secrets, agents, tools, executions });
  const quotas = composeQuotas({ ...composedStore, plans });
  const tokenAccess = await composeMcpAccess(context, { store, keys, oauth });
  const console = composeConsole(context, store, keys, webhooks);
  const sharedNetworks = createSharedNetworksReport(context, { store, keys });
  const modules = { ...composedStore, keys, plans, egress, webhooks, secrets, oauth, models, builtins, tools, routing };
  const services = { executions, agents, sources, quotas, tokenAccess, console, sharedNetworks };
  return { ...modules, ...services, api: composeApi(context, { ...modules, ...services }) };
}
