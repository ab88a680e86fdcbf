import { join } from "node:path";
import { createSearch, type Search } from "@yagate/builtins/search/create-search";
import { createLocalSearch } from "@yagate/builtins/search/local/local-search";
import type { SearchProvider } from "@yagate/builtins/search/port";
import { SEARCH_PROVIDER_NAMES } from "@yagate/builtins/search/provider-names";
import { webProviders } from "@yagate/builtins/search/providers/web-providers";
import type { SearchSettings } from "@yagate/builtins/search/search-settings";
import { findInjections } from "@yagate/builtins/web/injection/find-injections";
import type { DocumentReader, PageFetcher } from "@yagate/builtins/web/port";
import { createEgressGuard, type EgressPolicy, isPrivateHost } from "@yagate/egress";
import type { Logger } from "@yagate/lib/logging/logger";
import { providerNetworks } from "@yagate/models/provider-networks";
import type { CompleteConfig } from "../config/gateway-config.ts";

/** What searches, with the way out that its services have for themselves. */
export interface SearchRooms {
  /** Absent where no provider has what it needs. */
  readonly search: Search | undefined;
  close(): Promise<void>;
}

/** The settings that matter. */
export type SearchConfig = Pick<CompleteConfig, "search" | "allowCidrs" | "dataDir">;

interface SearchParts {
  readonly egressPolicy: EgressPolicy;
  readonly pages: PageFetcher;
  readonly reader: DocumentReader;
  readonly now: () => number;
  readonly logger: Logger;
}

/** The index of local documents, in the data directory. */
export const INDEX_FILE = "search-index.sqlite";

/**
 * Opens the search that an operator has configured.
 *
 * @throws YagateError `NOT_CONFIGURED` for a folder of documents that is none.
 */
export async function openSearch(
  { search: settings, allowCidrs, dataDir }: SearchConfig,
  parts: SearchParts,
): Promise<SearchRooms> {
  if (settings === undefined) return { search: undefined, async close() {} };
  const { egressPolicy, pages, reader, now, logger } = parts;
  const indexFile = join(dataDir, INDEX_FILE);
  const isWanted = settings.providers?.includes("local") ?? true;
  const folder = isWanted ? settings.local?.folder : undefined;
  const local = folder === undefined ? [] : [await createLocalSearch({ folder, indexFile, reader, now, logger })];
  // An operator wrote these addresses: what was opened for that counts, and no model gets to choose one.
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

function addressesOf({ brave, tavily, exa, serper, google, searxng }: SearchSettings) {
  const keyed = { brave, tavily, exa, serper, google };
  const own = Object.entries(keyed).map(([name, service]) => [name, { baseUrl: service?.baseUrl }] as const);
  return Object.fromEntries([...own, ["searxng", { baseUrl: searxng?.url }]]);
}

function inOrder(
  providers: readonly SearchProvider[],
  { providers: wanted }: SearchSettings,
): readonly SearchProvider[] {
  const names = wanted ?? SEARCH_PROVIDER_NAMES;
  return names.flatMap((name) => providers.filter((provider) => provider.name === name));
}

/** What is the operator's own costs nothing; a service whose price nobody has said has an unknown one. */
function pricesOf({ prices }: SearchSettings): (provider: string) => number | undefined {
  const known = new Map<string, number | undefined>([["searxng", 0], ["local", 0], ...Object.entries(prices)]);
  return (provider) => known.get(provider);
}
