import type { HostedCall } from "@yagate/protocol";
import { toRecord } from "./record.ts";

/** The billable provider-run calls of a turn. */
export interface HostedCount {
  readonly webSearches: number;
  /** Calls of tools other than web search. */
  readonly others: number;
}

/**
 * Counts provider-run calls as each provider bills them. Anthropic reports the number of searches. OpenAI bills
 * searches, but not the pages that it opens. Gemini bills each query; models before Gemini 3 are billed for each reply
 * that uses search.
 *
 * @param rawUsage - the provider's usage, unmodified.
 * @param queries - Gemini's search queries.
 */
export function countHosted(
  provider: string,
  model: string,
  answer: { readonly calls: readonly HostedCall[]; readonly rawUsage: unknown; readonly queries: readonly string[] },
): HostedCount {
  const searches = answer.calls.filter(({ name }) => isWebSearch(name));
  const others = answer.calls.length - searches.length;
  if (provider === "anthropic") {
    const told = toRecord(toRecord(answer.rawUsage)?.["server_tool_use"])?.["web_search_requests"];
    if (typeof told === "number" && Number.isSafeInteger(told) && told >= 0) return { webSearches: told, others };
  }
  if (provider === "google" && answer.queries.length > 0) {
    const isByAnswer = /^gemini-[12](?:[.-]|$)/i.test(model);
    return { webSearches: isByAnswer ? 1 : answer.queries.length, others };
  }
  return { webSearches: searches.filter((call) => call.status !== "failed" && !isPageVisit(call)).length, others };
}

function isWebSearch(name: string): boolean {
  return name === "web_search" || name === "web_search_preview" || name === "web_search_premium";
}

function isPageVisit({ output }: HostedCall): boolean {
  const action = toRecord(toRecord(output)?.["action"])?.["type"];
  return action === "openPage" || action === "findInPage";
}
