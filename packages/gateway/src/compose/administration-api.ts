import { createReadMetrics } from "@yagate/read-models/read-metrics";
import type { Store } from "@yagate/store/port";
import { createAssertIntents } from "../capabilities/intents.ts";
import { createAdministeredWorkspace } from "../http/requests/administered-workspace.ts";
import type { Route } from "../http/route.ts";
import { apiKeyRoutes } from "../http/routes/api-keys.ts";
import { auditRoutes } from "../http/routes/audit.ts";
import { metricSeriesRoutes } from "../http/routes/metric-series.ts";
import { usageRoutes } from "../http/routes/usage.ts";
import { workspaceRoutes } from "../http/routes/workspaces.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedPlans } from "./compose-plans.ts";
import type { ComposedQuotas } from "./compose-quotas.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { GatewayContext } from "./gateway-context.ts";
import type { SharedNetworksReport } from "./shared-networks-report.ts";

export interface AdministrationParts {
  readonly store: Pick<Store, "workspaces" | "audit" | "readModels">;
  readonly keys: ComposedKeys;
  readonly plans: ComposedPlans;
  readonly tools: Pick<ComposedTools, "routingTables">;
  readonly quotas: Pick<ComposedQuotas, "readUsage">;
  readonly sharedNetworks: Pick<SharedNetworksReport, "onWorkspaceCreated">;
}

/** Creates the routes for workspaces, their usage, metrics, API keys and audit log. */
export function administrationApi(
  { config, now }: GatewayContext,
  { store, keys, plans, tools, quotas, sharedNetworks }: AdministrationParts,
): readonly Route[] {
  const { workspaces, apiKeys, defaultWorkspaceId: operatorWorkspaceId } = keys;
  const administered = { workspaces: store.workspaces, operatorWorkspaceId };
  const workspaceOf = createAdministeredWorkspace(store.workspaces, operatorWorkspaceId);
  return [
    ...usageRoutes({ readUsage: quotas.readUsage, workspaceOf }),
    ...workspaceRoutes({
      ...{ store: store.workspaces, workspaces, plans: plans.workspacePlans, operatorWorkspaceId },
      developmentWorkspaces: config.developmentWorkspaces,
      onWorkspaceCreated: sharedNetworks.onWorkspaceCreated,
    }),
    ...apiKeyRoutes({ apiKeys, ...administered, assertIntents: createAssertIntents(tools.routingTables.find), now }),
    ...metricSeriesRoutes(createReadMetrics(store.readModels, now)),
    ...auditRoutes({ audit: store.audit, ...administered }),
  ];
}
