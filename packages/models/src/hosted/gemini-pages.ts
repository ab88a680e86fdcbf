import type { AssistantPart } from "../port.ts";
import { GEMINI_PAGES } from "./provider-hosted-tool.ts";
import { toRecord } from "./record.ts";

/**
 * Creates the parts that record the pages that Gemini read, for a reply that does not contain them. It has failed if
 * no page could be read.
 *
 * @param metadata - the provider metadata of a complete reply.
 */
export function toPageParts(metadata: unknown): readonly AssistantPart[] {
  const google = toRecord(toRecord(metadata)?.["google"]);
  const told = toRecord(google?.["urlContextMetadata"])?.["urlMetadata"];
  const pages = (Array.isArray(told) ? told : []).flatMap((page) => {
    const { retrievedUrl: url, urlRetrievalStatus: status } = toRecord(page) ?? {};
    return typeof url === "string" && typeof status === "string" ? [{ url, status }] : [];
  });
  if (pages.length === 0) return [];
  const place = { providerCallId: GEMINI_PAGES, name: GEMINI_PAGES };
  const isError = !pages.some(({ status }) => status.endsWith("_SUCCESS"));
  return [
    { type: "hosted_call", ...place, input: { urls: pages.map(({ url }) => url) } },
    { type: "hosted_result", ...place, output: { pages }, isError },
  ];
}
