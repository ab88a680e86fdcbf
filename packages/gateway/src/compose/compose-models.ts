import { createEgressGuard } from "@yagate/egress";
import { DEFAULT_LIMITS } from "@yagate/egress/internal";
import { createModels } from "@yagate/models/create-models";
import { loadPrices } from "@yagate/models/prices/load-prices";
import { providerNetworks } from "@yagate/models/provider-networks";
import { createProviderCheck } from "@yagate/models/provider-url-check";
import type { EgressPolicies } from "./compose-egress.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedModels = ReturnType<typeof composeModels>;

/**
 * Creates the model layer, with separate connections for the operator's providers and for the providers of workspaces.
 */
export function composeModels(
  { config, now }: GatewayContext,
  {
    egress: { operatorPolicy, tenantPolicy },
    secrets,
  }: {
    readonly egress: Pick<EgressPolicies, "operatorPolicy" | "tenantPolicy">;
    readonly secrets: Pick<ComposedSecrets, "providers">;
  },
) {
  const { providers } = config;
  // Each execution calls one model at a time, and most executions call the same provider, so none may have to wait for
  // a connection that another one uses.
  const connectionsPerOrigin = Math.max(DEFAULT_LIMITS.connectionsPerOrigin, 2 * config.maxConcurrentExecutions);
  const limits = { connectionsPerOrigin };
  const allowCidrs = providerNetworks(providers, config.allowCidrs);
  const operatorEgress = createEgressGuard({ ...operatorPolicy, allowCidrs, limits });
  // The workspace that configured a base URL can read the responses, so the URL must not reach private networks.
  const tenantEgress = createEgressGuard({ ...tenantPolicy, limits });
  const models = createModels({
    prices: loadPrices(config.pricesFile),
    providers,
    fetch: operatorEgress.fetch,
    workspaces: { providers: secrets.providers, fetch: tenantEgress.fetch, isStrict: config.strictSecretHosts },
    now,
  });
  return {
    models,
    checkProvider: createProviderCheck({ providers, policy: tenantPolicy }),
    close: () => Promise.all([operatorEgress.close(), tenantEgress.close()]),
  };
}
