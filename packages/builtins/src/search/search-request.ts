import type { SearchProviderName } from "./provider-names.ts";

/** One search, with the settings of the agent's author and the arguments of the model. */
export interface SearchRequest {
  readonly query: string;
  /** Number of results, 1 to 20. */
  readonly maxResults: number;
  /** The gateway's providers to use, in this order; default: all, in the gateway's order. */
  readonly providers?: readonly SearchProviderName[];
  /** Set by the author: only pages from these domains are shown or read. Empty: all domains. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly recency: Recency;
  readonly language?: string;
  readonly country?: string;
  /** How the query is rewritten for search engines: by rules, by the agent's model, or not at all. */
  readonly rewrite: "rules" | "model" | "off";
  /** Number of matches whose full page is read, 0 to 10. */
  readonly fetchPages: number;
  readonly respectRobots: boolean;
  /** Approximate size of the complete result, in tokens. */
  readonly tokenBudget: number;
  /** Maximum age of a cached result, in seconds. With 0, cached results are not used. */
  readonly maxAgeSeconds: number;
  /**
   * `first`: providers are asked one after another until one finds something. `all`: all providers are asked
   * concurrently. Default `first`.
   */
  readonly ask?: "first" | "all";
  /** Whether a provider with an index must check for changes first; default false. */
  readonly isFresh?: boolean;
}

/** The possible maximum ages of results. */
export const RECENCIES = ["day", "week", "month", "year", "any"] as const;

/** The maximum age of a result. */
type Recency = (typeof RECENCIES)[number];

const DAYS: Readonly<Record<Exclude<Recency, "any">, number>> = { day: 1, week: 7, month: 31, year: 366 };

/** Returns the first day within the maximum age; `undefined` if there is no limit. @param now - ms since the epoch. */
export function firstDayOf(recency: Recency, now: number): string | undefined {
  if (recency === "any") return undefined;
  return new Date(now - DAYS[recency] * 86_400_000).toISOString().slice(0, 10);
}

/** Returns whether a date is between two days, inclusive; `undefined` without a date. */
export function isWithinDays(
  publishedAt: string | undefined,
  { publishedAfter, publishedBefore }: { readonly publishedAfter?: string; readonly publishedBefore?: string },
): boolean | undefined {
  if (publishedAfter === undefined && publishedBefore === undefined) return true;
  const day = publishedAt?.slice(0, 10);
  if (day === undefined) return undefined;
  return day >= (publishedAfter?.slice(0, 10) ?? day) && day <= (publishedBefore?.slice(0, 10) ?? day);
}
