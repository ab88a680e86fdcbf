import { createEgressGuard } from "@yagate/egress";
import { DEFAULT_LIMITS } from "@yagate/egress/internal";
import { createModels } from "@yagate/models/create-models";
import { loadPrices } from "@yagate/models/prices/load-prices";
import { providerNetworks } from "@yagate/models/provider-networks";
import { createProviderCheck } from "@yagate/models/provider-url-check";
import type { CompleteConfig } from "../config/gateway-config.ts";
import type { ProviderCredentials } from "../secrets/provider-credentials.ts";
import type { EgressRooms } from "./compose-egress.ts";

/** Makes the model layer, with a way out for the gateway's own providers and one for those of tenants. */
export function openModels(
  config: CompleteConfig,
  {
    ways,
    providerCredentials,
    now,
  }: {
    readonly ways: Pick<EgressRooms, "operatorPolicy" | "tenantPolicy">;
    readonly providerCredentials: ProviderCredentials;
    readonly now: () => number;
  },
) {
  const { providers } = config;
  // Each execution asks one model at a time, and most ask the same provider: none is to wait for another's connection.
  const connectionsPerOrigin = Math.max(DEFAULT_LIMITS.connectionsPerOrigin, 2 * config.maxConcurrentExecutions);
  const limits = { connectionsPerOrigin };
  const ownProviderEgress = createEgressGuard({
    ...ways.operatorPolicy,
    allowCidrs: providerNetworks(providers, config.allowCidrs),
    limits,
  });
  // A model provider's answers reach whoever wrote its base URL, so no tenant gets to see private networks by it.
  const tenantProviderPolicy = ways.tenantPolicy;
  const tenantProviderEgress = createEgressGuard({ ...tenantProviderPolicy, limits });
  const models = createModels({
    prices: loadPrices(config.pricesFile),
    providers,
    fetch: ownProviderEgress.fetch,
    workspaces: {
      providers: providerCredentials,
      fetch: tenantProviderEgress.fetch,
      isStrict: config.strictSecretHosts,
    },
    now,
  });
  return {
    models,
    checkProvider: createProviderCheck({ providers, policy: tenantProviderPolicy }),
    close: () => Promise.all([ownProviderEgress.close(), tenantProviderEgress.close()]),
  };
}
