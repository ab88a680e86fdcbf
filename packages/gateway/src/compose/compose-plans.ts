import type { Store } from "@yagate/store/port";
import { createPlanCatalog } from "../policy/plans/plan-catalog.ts";
import { createIntegrations } from "../tools/integrations/integrations.ts";
import { createNetworkLimits } from "../tools/integrations/network-limits.ts";
import { cacheAge, type GatewayContext } from "./gateway-context.ts";

export type ComposedPlans = ReturnType<typeof composePlans>;

/**
 * Creates the parts that limit what workspaces may use: their plans, their integrations, and the limits of network
 * tools that follow from both.
 */
export function composePlans(
  { config, now }: GatewayContext,
  store: Pick<Store, "integrations" | "workspaces" | "rateLimits" | "isExclusive">,
) {
  const age = cacheAge(store);
  const integrations = createIntegrations({ store: store.integrations, now, ...age });
  const catalog = createPlanCatalog(config.plans);
  const { limits, workspacePlans } = createNetworkLimits({ store, plans: catalog, integrations, now, ...age });
  const quotasOf = async (workspaceId: string) => (await workspacePlans.find(workspaceId)).figures;
  return { integrations, networkLimits: limits, workspacePlans, quotasOf, planNames: catalog.names };
}
