import type { RequestListener } from "node:http";
import { createEgressGuard } from "@yagate/egress";
import { newFrameNonce } from "@yagate/lib/ids/ids";
import { afterAll } from "vitest";
import { startServer } from "../../../egress/test/support/servers.ts";
import type { BuiltinTool } from "../../src/builtin-tool.ts";
import { createUrlFetchTool } from "../../src/url-fetch/url-fetch-tool.ts";
import { createPageFetcher } from "../../src/web/fetching/page-fetcher.ts";
import { createDocumentReader } from "../../src/web/reading/document-reader.ts";

/** `url_fetch` with all its real parts, of a guard that reaches the servers of a test; one for a file. */
export function loopbackTool(newNonce: () => string = newFrameNonce): BuiltinTool {
  const egress = createEgressGuard({ allowCidrs: ["127.0.0.1"] });
  const reader = createDocumentReader();
  afterAll(() => Promise.all([egress.close(), reader.close()]));
  const pages = createPageFetcher({ egress, reader, now: Date.now, userAgent: "Yagate/test" });
  return createUrlFetchTool({ pages, newNonce });
}

/** A site of one test. */
export async function startSite(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${(await startServer(listener)).port}`;
}

/** A page that says of itself what it is. */
export function sendAs(type: string, body: string | Uint8Array): RequestListener {
  return (_request, response) => response.setHeader("content-type", type).end(body);
}
