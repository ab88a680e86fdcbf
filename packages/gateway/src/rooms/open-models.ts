import type { CompleteConfig } from "../config/gateway-config.ts";
import { createEgressGuard } from "../egress/guard.ts";
import type { EgressPolicy } from "../egress/policy.ts";
import { createModels } from "../models/create-models.ts";
import { loadPrices } from "../models/prices/load-prices.ts";
import { providerNetworks } from "../models/provider-networks.ts";
import { createProviderCheck } from "../models/provider-url-check.ts";
import type { ProviderCredentials } from "../secrets/provider-credentials.ts";

/** Makes the model layer, with a way out for the gateway's own providers and one for those of tenants. */
export function openModels(
  config: CompleteConfig,
  {
    egressPolicy,
    providerCredentials,
    now,
  }: {
    readonly egressPolicy: EgressPolicy;
    readonly providerCredentials: ProviderCredentials;
    readonly now: () => number;
  },
) {
  const { providers } = config;
  const ownProviderEgress = createEgressGuard({
    ...egressPolicy,
    allowCidrs: providerNetworks(providers, config.allowCidrs),
  });
  // A model provider's answers reach whoever wrote its base URL, so no tenant gets to see private networks by it.
  const tenantProviderPolicy = { ...egressPolicy, allowCidrs: [] };
  const tenantProviderEgress = createEgressGuard(tenantProviderPolicy);
  const models = createModels({
    prices: loadPrices(config.pricesFile),
    providers,
    fetch: ownProviderEgress.fetch,
    workspaces: { providers: providerCredentials, fetch: tenantProviderEgress.fetch },
    now,
  });
  return {
    models,
    checkProvider: createProviderCheck({ providers, policy: tenantProviderPolicy }),
    close: () => Promise.all([ownProviderEgress.close(), tenantProviderEgress.close()]),
  };
}
