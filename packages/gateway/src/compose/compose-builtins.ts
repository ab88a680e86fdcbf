import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { createUrlFetchTool } from "@yagate/builtins/url-fetch/url-fetch-tool";
import { createPageFetcher } from "@yagate/builtins/web/fetching/page-fetcher";
import type { DocumentReader } from "@yagate/builtins/web/port";
import { createDocumentReader } from "@yagate/builtins/web/reading/document-reader";
import { createWebSearchTool } from "@yagate/builtins/web-search/web-search-tool";
import { createEgressGuard } from "@yagate/egress";
import { newFrameNonce } from "@yagate/lib/ids/ids";
import type { Logger } from "@yagate/lib/logging/logger";
import { defined } from "@yagate/lib/objects/defined";
import { packageVersion } from "../package-version.ts";
import type { EgressRooms } from "./compose-egress.ts";
import { openSearch, type SearchConfig } from "./compose-search.ts";

/** What reads the open web, and the tools that do so. */
export interface WebRooms {
  readonly reader: DocumentReader;
  readonly tools: readonly BuiltinTool[];
  close(): Promise<void>;
}

export async function openWeb({
  config,
  ways,
  now,
  logger,
}: {
  readonly config: SearchConfig;
  readonly ways: Pick<EgressRooms, "operatorPolicy" | "tenantPolicy">;
  readonly now: () => number;
  readonly logger: Logger;
}): Promise<WebRooms> {
  // Models, and whoever wrote a page, name these hosts: no person wrote them down.
  const egress = createEgressGuard(ways.tenantPolicy);
  const reader = createDocumentReader();
  const pages = createPageFetcher({ egress, reader, now, userAgent: `Yagate/${packageVersion()}` });
  const { search, close: closeSearch } = await openSearch(config, {
    egressPolicy: ways.operatorPolicy,
    ...{ pages, reader, now, logger },
  });
  const maxAgeSeconds = config.search?.cacheSeconds;
  const webSearch = createWebSearchTool({
    ...defined({ search, maxAgeSeconds }),
  });
  return {
    reader,
    tools: [createUrlFetchTool({ pages, newNonce: newFrameNonce }), webSearch],
    async close() {
      await Promise.all([egress.close(), reader.close(), closeSearch()]);
    },
  };
}
