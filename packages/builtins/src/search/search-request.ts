import type { SearchProviderName } from "./provider-names.ts";
import type { Recency } from "./query/recency.ts";

/** One search as an agent's author and its model want it. */
export interface SearchRequest {
  readonly query: string;
  /** 1 to 20. */
  readonly maxResults: number;
  /** Of those of the gateway, in this order; default all of them in theirs. */
  readonly providers?: readonly SearchProviderName[];
  /** The author's: nothing else is shown or read. Empty: all. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly recency: Recency;
  readonly language?: string;
  readonly country?: string;
  /** How the query is made one for search engines: by rules, by the agent's model, or not at all. */
  readonly rewrite: "rules" | "model" | "off";
  /** How many matches are read whole; 0 to 10. */
  readonly fetchPages: number;
  readonly respectRobots: boolean;
  /** Of the whole result, about. */
  readonly tokenBudget: number;
  /** 0: nothing that was found before counts. */
  readonly maxAgeSeconds: number;
  /** Who is asked: one provider after the other until one finds something, or all of them at once. Default `first`. */
  readonly ask?: "first" | "all";
  /** Whether an index looks for changes first; default false. */
  readonly isFresh?: boolean;
}
