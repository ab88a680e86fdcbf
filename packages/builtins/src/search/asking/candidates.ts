import { isWithinSite } from "@yagate/lib/hosts/site-filter";
import { termsOf } from "../evidence/terms.ts";
import { hostOf, urlKey, withoutTracking } from "../pages/url-key.ts";
import type { SearchHit, SearchProvider, SearchQuery } from "../port.ts";
import { isWithinDays } from "../search-request.ts";
import type { ProviderHits } from "./ask-providers.ts";

/** A match that can become a result. */
export interface Candidate {
  readonly hit: SearchHit;
  /** The URL without tracking parameters. */
  readonly url: string;
  /** Identifies the page: equal for all URLs of the same page. */
  readonly key: string;
  readonly provider: string;
  readonly corpus: SearchProvider["corpus"];
  /** Position in the merged list of all queries and providers, from 1. */
  readonly position: number;
}

/** How many matches were removed, by reason. */
export interface LeftOut {
  readonly byDomain: number;
  readonly byDate: number;
  readonly byTerm: number;
  readonly duplicates: number;
}

/**
 * A position adds `1 / (60 + position)` to the score, as in Cormack, Clarke and Büttcher, Reciprocal Rank Fusion, 2009.
 */
const FUSION = 60;

/** Merges the matches of several queries and providers by page, and removes matches that the filters exclude. */
export function candidatesOf(
  found: readonly ProviderHits[],
  filters: SearchQuery,
): { readonly candidates: readonly Candidate[]; readonly leftOut: LeftOut } {
  const leftOut = { byDomain: 0, byDate: 0, byTerm: 0, duplicates: 0 };
  const merged = new Map<string, { hit: SearchHit; provider: SearchProvider; score: number }>();
  for (const { provider, hits, leftOut: uncounted } of found) {
    for (const reason of ["byDomain", "byDate", "byTerm"] as const) leftOut[reason] += uncounted?.[reason] ?? 0;
    for (const [index, hit] of hits.entries()) {
      const reason = reasonToLeaveOut(hit, filters);
      if (reason !== undefined) {
        leftOut[reason] += 1;
        continue;
      }
      const key = urlKey(hit.url);
      const score = 1 / (FUSION + index + 1);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { hit, provider, score });
      else {
        known.score += score;
        leftOut.duplicates += 1;
      }
    }
  }
  const ordered = [...merged].toSorted(([, one], [, other]) => other.score - one.score);
  const candidates = ordered.map(([key, { hit, provider }], index) => ({
    hit,
    url: withoutTracking(hit.url),
    key,
    provider: provider.name,
    corpus: provider.corpus,
    position: index + 1,
  }));
  return { candidates, leftOut };
}

/**
 * Checks a URL against the domain filters. They apply only to the web, because the operator's own documents have no
 * domain.
 */
export function isAllowedAddress(
  url: string,
  { allowedDomains, blockedDomains }: Pick<SearchQuery, "allowedDomains" | "blockedDomains">,
): boolean {
  const host = hostOf(url);
  if (host === undefined) return true;
  if (blockedDomains.some((domain) => isWithinSite(host, domain))) return false;
  return allowedDomains.length === 0 || allowedDomains.some((domain) => isWithinSite(host, domain));
}

function reasonToLeaveOut(hit: SearchHit, filters: SearchQuery): Exclude<keyof LeftOut, "duplicates"> | undefined {
  if (!isAllowedAddress(hit.url, filters)) return "byDomain";
  if (isWithinDays(hit.publishedAt, filters) === false) return "byDate";
  const { excludedTerms = [] } = filters;
  if (excludedTerms.length === 0) return undefined;
  const text = `${hit.title} ${hit.snippet}`;
  const shown = [...termsOf(text), "", ...termsOf(joined(text))].join(" ");
  const isShown = (term: string) => ` ${shown} `.includes(` ${termsOf(term).join(" ")} `);
  return excludedTerms.some((term) => isShown(term) || isShown(joined(term))) ? "byTerm" : undefined;
}

/**
 * Removes hyphens, underscores and apostrophes inside words, so that excluding `e-mail` also excludes `email`, and vice
 * versa.
 */
function joined(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N}])[-\u2010\u2011_'’](?=[\p{L}\p{N}])/gu, "");
}
