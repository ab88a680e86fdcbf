import { join } from "node:path";
import { createSearch } from "@yagate/builtins/search/create-search";
import { createLocalSearch } from "@yagate/builtins/search/local/local-search";
import type { SearchProvider } from "@yagate/builtins/search/port";
import { SEARCH_PROVIDER_NAMES } from "@yagate/builtins/search/provider-names";
import { webProviders } from "@yagate/builtins/search/providers/web-providers";
import type { SearchSettings } from "@yagate/builtins/search/search-settings";
import { findInjections } from "@yagate/builtins/web/injection/find-injections";
import type { DocumentReader, PageFetcher } from "@yagate/builtins/web/port";
import { createEgressGuard, type EgressPolicy, isPrivateHost } from "@yagate/egress";
import { providerNetworks } from "@yagate/models/provider-networks";
import type { GatewayContext } from "./gateway-context.ts";

/** The index of local documents, in the data directory. */
export const INDEX_FILE = "search-index.sqlite";

/**
 * The search that the operator configured; its `search` is absent where no provider has all its settings.
 *
 * @throws YagateError `NOT_CONFIGURED` if the folder of local documents does not exist.
 */
export async function composeSearch(
  { config, now, logger }: GatewayContext,
  parts: { readonly egressPolicy: EgressPolicy; readonly pages: PageFetcher; readonly reader: DocumentReader },
) {
  const { search: settings, allowCidrs, dataDir } = config;
  if (settings === undefined) return { search: undefined, async close() {} };
  const { egressPolicy, pages, reader } = parts;
  const indexFile = join(dataDir, INDEX_FILE);
  const isWanted = settings.providers?.includes("local") ?? true;
  const folder = isWanted ? settings.local?.folder : undefined;
  const local = folder === undefined ? [] : [await createLocalSearch({ folder, indexFile, reader, now, logger })];
  // The operator wrote these addresses and no model can choose one, so the networks allowlisted for them apply.
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

/** The URLs of all services, as the operator wrote them. A provider without one has no address of its own. */
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

/** The operator's own services cost nothing; a service without a configured price has an unknown one. */
function pricesOf({ prices }: SearchSettings): (provider: string) => number | undefined {
  const known = new Map<string, number | undefined>([["searxng", 0], ["local", 0], ...Object.entries(prices)]);
  return (provider) => known.get(provider);
}
