import { createEgressGuard, type EgressPolicy } from "../egress/index.ts";
import { packageVersion } from "../package-version.ts";
import type { BuiltinTool } from "../tools/builtin/builtin-tool.ts";
import { createUrlFetchTool } from "../tools/builtin/url-fetch/url-fetch-tool.ts";
import { createPageFetcher } from "../web/fetching/page-fetcher.ts";
import type { DocumentReader } from "../web/port.ts";
import { createDocumentReader } from "../web/reading/document-reader.ts";

/** What reads the open web, and the tools that do so. */
export interface WebRooms {
  readonly reader: DocumentReader;
  readonly tools: readonly BuiltinTool[];
  close(): Promise<void>;
}

/** @param egressPolicy - of the gateway; of the networks that it opens none is open to pages. */
export function openWeb({
  egressPolicy,
  now,
}: {
  readonly egressPolicy: EgressPolicy;
  readonly now: () => number;
}): WebRooms {
  // Models, and whoever wrote a page, name these hosts: no person wrote them down.
  const egress = createEgressGuard({ ...egressPolicy, allowCidrs: [] });
  const reader = createDocumentReader();
  const pages = createPageFetcher({ egress, reader, now, userAgent: `Yagate/${packageVersion()}` });
  return {
    reader,
    tools: [createUrlFetchTool({ pages })],
    async close() {
      await Promise.all([egress.close(), reader.close()]);
    },
  };
}
