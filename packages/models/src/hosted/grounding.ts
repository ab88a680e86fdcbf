import type { AssistantPart } from "../port.ts";
import { toRecord } from "./record.ts";

/**
 * The queries that Gemini searched the web with. It tells them beside the answer; as parts of it only newer models do.
 *
 * @param metadata - the provider metadata of a whole answer.
 */
export function groundingQueries(metadata: unknown): readonly string[] {
  const google = toRecord(toRecord(metadata)?.["google"]);
  const perRequest = google?.["groundingMetadataPerRequest"];
  const all: readonly unknown[] = Array.isArray(perRequest) ? perRequest : [google?.["groundingMetadata"]];
  return all.flatMap((grounding) => {
    const queries = toRecord(grounding)?.["webSearchQueries"];
    return Array.isArray(queries) ? queries.filter((query) => typeof query === "string") : [];
  });
}

/** What such a search looks like in the record, where no part of the answer tells of it. */
export function toGroundingParts(queries: readonly string[]): readonly AssistantPart[] {
  if (queries.length === 0) return [];
  const place = { providerCallId: "grounding", name: "web_search" } as const;
  return [
    { type: "hosted_call", ...place, input: { queries: [...queries] } },
    { type: "hosted_result", ...place, output: null, isError: false },
  ];
}
