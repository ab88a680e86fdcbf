import { createEgressGuard, type EgressPolicy } from "../egress/index.ts";
import { packageVersion } from "../package-version.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { BuiltinTool } from "../tools/builtin/builtin-tool.ts";
import { createUrlFetchTool } from "../tools/builtin/url-fetch/url-fetch-tool.ts";
import { createWebSearchTool } from "../tools/builtin/web-search/web-search-tool.ts";
import { createPageFetcher } from "../web/fetching/page-fetcher.ts";
import type { DocumentReader } from "../web/port.ts";
import { createDocumentReader } from "../web/reading/document-reader.ts";
import { openSearch, type SearchConfig } from "./open-search.ts";

/** What reads the open web, and the tools that do so. */
export interface WebRooms {
  readonly reader: DocumentReader;
  readonly tools: readonly BuiltinTool[];
  close(): Promise<void>;
}

/** @param egressPolicy - of the gateway; of the networks that it opens none is open to pages. */
export async function openWeb({
  config,
  egressPolicy,
  now,
  logger,
}: {
  readonly config: SearchConfig;
  readonly egressPolicy: EgressPolicy;
  readonly now: () => number;
  readonly logger: Logger;
}): Promise<WebRooms> {
  // Models, and whoever wrote a page, name these hosts: no person wrote them down.
  const egress = createEgressGuard({ ...egressPolicy, allowCidrs: [] });
  const reader = createDocumentReader();
  const pages = createPageFetcher({ egress, reader, now, userAgent: `Yagate/${packageVersion()}` });
  const { search, close: closeSearch } = await openSearch(config, { egressPolicy, pages, reader, now, logger });
  const maxAgeSeconds = config.search?.cacheSeconds;
  const webSearch = createWebSearchTool({
    ...(search === undefined ? {} : { search }),
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
  });
  return {
    reader,
    tools: [createUrlFetchTool({ pages }), webSearch],
    async close() {
      await Promise.all([egress.close(), reader.close(), closeSearch()]);
    },
  };
}
