import { isWithinSite } from "@yagate/lib/hosts/site-filter";
import { defined } from "@yagate/lib/objects/defined";
import type { SearchQuery } from "./port.ts";
import {
  MAX_MODEL_QUERIES,
  REWRITE_INSTRUCTIONS,
  REWRITE_MAX_TOKENS,
  readModelQueries,
} from "./query/model-queries.ts";
import { readQuery } from "./query/read-query.ts";
import { firstDayOf } from "./query/recency.ts";
import type { SearchRequest } from "./search-request.ts";

/** Sends a question to the agent's model. Rejects if the model cannot reply. */
export type AskForQueries = (question: {
  readonly instructions: string;
  readonly text: string;
  readonly maxOutputTokens: number;
}) => Promise<{ readonly text: string }>;

/** The queries of one search, with their filters. */
export interface QueryPlan {
  /** The filters of all queries. Results are ranked against its `text`. */
  readonly filters: SearchQuery;
  readonly texts: readonly string[];
  readonly phrases: readonly string[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Maximum number of candidates: more than a result shows, so that enough remain after deduplication and filtering. */
const MAX_CANDIDATES = 20;
const EXTRA_CANDIDATES = 5;

/** Derives search queries from an agent's request, within the limits set by the agent's author. */
export async function planQueries(
  request: SearchRequest,
  now: number,
  ask: AskForQueries | undefined,
): Promise<QueryPlan> {
  const { rewrite, query, language, country } = request;
  const asTyped = { text: query, phrases: [], excludedTerms: [], allowedDomains: [], blockedDomains: [] };
  const read = rewrite === "off" ? asTyped : readQuery(query, now);
  const warnings: { code: string; message: string }[] = [];
  const allowed = narrowed(request.allowedDomains, read.allowedDomains);
  if (allowed.isOutside) {
    const message = 'the filter "site:" names a domain that this agent may not search; the filter was ignored';
    warnings.push({ code: "DOMAIN_NOT_ALLOWED", message });
  }
  const { publishedBefore } = "publishedBefore" in read ? read : {};
  const { publishedAfter = firstDayOf(request.recency, now) } = "publishedAfter" in read ? read : {};
  const text = read.text === "" ? query : read.text;
  const filters: SearchQuery = {
    text,
    maxResults: Math.min(MAX_CANDIDATES, request.maxResults + EXTRA_CANDIDATES),
    allowedDomains: allowed.domains,
    blockedDomains: [...new Set([...request.blockedDomains, ...read.blockedDomains])],
    ...(read.excludedTerms.length === 0 ? {} : { excludedTerms: read.excludedTerms }),
    ...defined({ publishedAfter, publishedBefore, language, country }),
  };
  const plan = { filters, texts: [text], phrases: read.phrases, warnings };
  if (rewrite !== "model") return plan;
  const made = ask === undefined ? undefined : await modelQueries(text, now, ask);
  if (made !== undefined) return { ...plan, texts: made };
  warnings.push({
    code: "REWRITE_FAILED",
    message: "the model produced no queries; the query was rewritten by rules only",
  });
  return plan;
}

async function modelQueries(text: string, now: number, ask: AskForQueries): Promise<readonly string[] | undefined> {
  const question = JSON.stringify({ question: text, today: new Date(now).toISOString().slice(0, 10) });
  try {
    const reply = await ask({
      instructions: REWRITE_INSTRUCTIONS,
      text: question,
      maxOutputTokens: REWRITE_MAX_TOKENS,
    });
    return readModelQueries(reply.text)?.slice(0, MAX_MODEL_QUERIES);
  } catch {
    // A search with queries rewritten by rules is better than no search. The cost of the failed model request is
    // recorded in any case.
    return undefined;
  }
}

/** Returns the domains to search. A query can narrow the domains that its agent may search, but not widen them. */
function narrowed(
  allowed: readonly string[],
  wanted: readonly string[],
): { readonly domains: readonly string[]; readonly isOutside: boolean } {
  if (wanted.length === 0) return { domains: allowed, isOutside: false };
  if (allowed.length === 0) return { domains: wanted, isOutside: false };
  const inside = wanted.filter((domain) => allowed.some((within) => isWithinSite(domain, within)));
  return { domains: inside.length === 0 ? allowed : inside, isOutside: inside.length < wanted.length };
}
