import { builtinTools } from "@yagate/builtins/builtin-tools";
import { createExtractiveSummarizer } from "@yagate/builtins/text-summarizer/extractive/extractive-summarizer";
import { createUrlFetchTool } from "@yagate/builtins/url-fetch/url-fetch-tool";
import { createPageFetcher } from "@yagate/builtins/web/fetching/page-fetcher";
import { createDocumentReader } from "@yagate/builtins/web/reading/document-reader";
import { createWebSearchTool } from "@yagate/builtins/web-search/web-search-tool";
import { createEgressGuard } from "@yagate/egress";
import { newFrameNonce } from "@yagate/lib/ids/ids";
import { defined } from "@yagate/lib/objects/defined";
import type { Store } from "@yagate/store/port";
import { createArtifactReader } from "../executions/artifacts/artifact-reader.ts";
import { packageVersion } from "../package-version.ts";
import type { EgressPolicies } from "./compose-egress.ts";
import type { composeSearch } from "./compose-search.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedBuiltins = Awaited<ReturnType<typeof composeBuiltins>>;

/** Creates the built-in tools and the parts that they use to read artifacts, documents and web pages. */
export async function composeBuiltins(
  context: GatewayContext,
  {
    store,
    egress: { tenantPolicy, operatorPolicy },
  }: {
    readonly store: Pick<Store, "eventStore">;
    readonly egress: Pick<EgressPolicies, "operatorPolicy" | "tenantPolicy">;
  },
) {
  const { config, now } = context;
  const artifacts = createArtifactReader(store.eventStore);
  const extractor = createExtractiveSummarizer();
  // Models and authors of web pages choose these hosts, so no allowlisted network applies to them.
  const webEgress = createEgressGuard(tenantPolicy);
  const reader = createDocumentReader();
  const pages = createPageFetcher({ egress: webEgress, reader, now, userAgent: `Yagate/${packageVersion()}` });
  const configured = await openSearch(context, { egressPolicy: operatorPolicy, pages, reader });
  const webSearch = createWebSearchTool(
    defined({ search: configured?.search, maxAgeSeconds: config.search?.cacheSeconds }),
  );
  const urlFetch = createUrlFetchTool({ pages, newNonce: newFrameNonce });
  return {
    artifacts,
    builtins: builtinTools({ artifacts, extractor, configured: [urlFetch, webSearch] }),
    close: () => Promise.all([webEgress.close(), reader.close(), configured?.close(), extractor.close()]),
  };
}

async function openSearch(context: GatewayContext, parts: Parameters<typeof composeSearch>[2]) {
  const { search } = context.config;
  if (search === undefined) return undefined;
  const { composeSearch } = await import("./compose-search.ts");
  return composeSearch(context, search, parts);
}
