import type { AssistantPart } from "../port.ts";
import { toRecord } from "./record.ts";

/**
 * Reads the queries of Gemini's web search. All models report the queries in the metadata of the reply; only newer
 * models also return them as parts.
 *
 * @param metadata - the provider metadata of a complete reply.
 */
export function groundingQueries(metadata: unknown): readonly string[] {
  const google = toRecord(toRecord(metadata)?.["google"]);
  if (google === undefined) return [];
  const perRequest = google["groundingMetadataPerRequest"];
  const all: readonly unknown[] = Array.isArray(perRequest) ? perRequest : [google["groundingMetadata"]];
  return all.flatMap((grounding) => {
    const queries = toRecord(grounding)?.["webSearchQueries"];
    return Array.isArray(queries) ? queries.filter((query) => typeof query === "string") : [];
  });
}

/** Creates the parts that record Gemini's web search, for a reply that does not contain them. */
export function toGroundingParts(queries: readonly string[]): readonly AssistantPart[] {
  if (queries.length === 0) return [];
  const place = { providerCallId: "grounding", name: "web_search" } as const;
  return [
    { type: "hosted_call", ...place, input: { queries: [...queries] } },
    { type: "hosted_result", ...place, output: null, isError: false },
  ];
}
