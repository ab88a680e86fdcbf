import { join } from "node:path";
import { createSearch } from "@yagate/builtins/search/create-search";
import type { LocalSearch, LocalSearchOptions } from "@yagate/builtins/search/local/local-search";
import type { SearchProvider } from "@yagate/builtins/search/port";
import { SEARCH_PROVIDER_NAMES } from "@yagate/builtins/search/provider-names";
import { webProviders } from "@yagate/builtins/search/providers/web-providers";
import type { SearchSettings } from "@yagate/builtins/search/search-settings";
import { findInjections } from "@yagate/builtins/web/injection/find-injections";
import type { DocumentReader, PageFetcher } from "@yagate/builtins/web/port";
import { createEgressGuard, type EgressPolicy, isPrivateHost } from "@yagate/egress";
import { providerNetworks } from "@yagate/models/provider-networks";
import type { GatewayContext } from "./gateway-context.ts";

/** Name of the index of local documents, in the data directory. */
export const INDEX_FILE = "search-index.sqlite";

/**
 * Creates the search that the operator configured. Only a gateway with search settings loads this module.
 *
 * @returns `search` is undefined if no provider is fully configured.
 * @throws YagateError `NOT_CONFIGURED` if the folder of local documents does not exist.
 */
export async function composeSearch(
  { config, now, logger }: GatewayContext,
  settings: SearchSettings,
  parts: { readonly egressPolicy: EgressPolicy; readonly pages: PageFetcher; readonly reader: DocumentReader },
) {
  const { allowCidrs, dataDir } = config;
  const { egressPolicy, pages, reader } = parts;
  const indexFile = join(dataDir, INDEX_FILE);
  const isWanted = settings.providers?.includes("local") ?? true;
  const folder = isWanted ? settings.local?.folder : undefined;
  const local = folder === undefined ? [] : [await openLocalSearch({ folder, indexFile, reader, now, logger })];
  // The operator configured these addresses and no model can choose one, so the networks that are allowlisted for them
  // apply.
  const networks = providerNetworks(addressesOf(settings), allowCidrs);
  const egress = createEgressGuard({ ...egressPolicy, allowCidrs: networks, ports: "any" });
  const providers = inOrder([...local, ...webProviders(settings, { egress, now })], settings);
  if (providers.length === 0) return { search: undefined, close: () => egress.close() };
  const usdPerRequest = pricesOf(settings);
  const search = createSearch({ providers, pages, isPrivateHost, findInjections, usdPerRequest, now });
  return {
    search,
    async close() {
      await Promise.all([search.close(), egress.close()]);
    },
  };
}

async function openLocalSearch(options: LocalSearchOptions): Promise<LocalSearch> {
  const { createLocalSearch } = await import("@yagate/builtins/search/local/local-search");
  return createLocalSearch(options);
}

/** Returns the configured base URL of each search provider; undefined for providers without one. */
function addressesOf(settings: SearchSettings) {
  return Object.fromEntries(
    SEARCH_PROVIDER_NAMES.map((name) => {
      const service = settings[name];
      if (service === undefined || "folder" in service) return [name, undefined] as const;
      return [name, { baseUrl: "url" in service ? service.url : service.baseUrl }] as const;
    }),
  );
}

function inOrder(
  providers: readonly SearchProvider[],
  { providers: wanted }: SearchSettings,
): readonly SearchProvider[] {
  const names: readonly string[] = wanted ?? SEARCH_PROVIDER_NAMES;
  return names.flatMap((name) => providers.filter((provider) => provider.name === name));
}

/**
 * Returns the function that looks up prices. The operator's own services are free; the price of another service is
 * unknown unless it is configured.
 */
function pricesOf({ prices }: SearchSettings): (provider: string) => number | undefined {
  const known = new Map<string, number | undefined>([["searxng", 0], ["local", 0], ...Object.entries(prices)]);
  return (provider) => known.get(provider);
}
