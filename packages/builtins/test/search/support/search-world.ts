import { createSearch, type Search } from "../../../src/search/create-search.ts";
import type {
  SearchAnswer,
  SearchContext,
  SearchFailure,
  SearchHit,
  SearchProvider,
  SearchQuery,
} from "../../../src/search/port.ts";
import type { SearchRequest } from "../../../src/search/search-request.ts";
import { findInjections } from "../../../src/web/injection/find-injections.ts";
import { type FetchedPage, PageError, type PageRequest, type ReadDocument } from "../../../src/web/port.ts";

/** The time of all searches here. */
export const NOW = Date.parse("2026-11-21T12:00:00Z");

/** A search as an author leaves it. */
export const REQUEST: SearchRequest = {
  query: "heat pump noise",
  maxResults: 5,
  allowedDomains: [],
  blockedDomains: [],
  recency: "any",
  rewrite: "rules",
  fetchPages: 4,
  respectRobots: false,
  tokenBudget: 4_000,
  maxAgeSeconds: 900,
};

/** Where one search belongs. */
export function contextOf(parts: Partial<SearchContext> = {}): SearchContext {
  return { workspaceId: "ws_1", deadline: NOW + 30_000, signal: new AbortController().signal, ...parts };
}

/** A provider that answers what it is told to, and remembers what it was asked. */
export function scriptedProvider(
  name: string,
  answer: (query: SearchQuery, context: SearchContext) => readonly SearchHit[] | SearchFailure | Promise<SearchAnswer>,
  corpus: SearchProvider["corpus"] = "web",
): SearchProvider & { readonly queries: SearchQuery[] } {
  const queries: SearchQuery[] = [];
  return {
    name,
    corpus,
    queries,
    async search(query, context) {
      queries.push(query);
      const said = await answer(query, context);
      if (said instanceof Error) throw said;
      return "hits" in said ? said : { hits: said };
    },
    async close() {},
  };
}

/** A match of a web page. */
export function hit(url: string, parts: Partial<SearchHit> = {}): SearchHit {
  return { title: `Title of ${url}`, url, snippet: "An excerpt of few words.", ...parts };
}

/** Pages by their address; others are not there. */
export type Pages = Readonly<Record<string, string | (Partial<ReadDocument> & { readonly finalUrl?: string })>>;

/** A search over these pages, with everything that was fetched. */
export function searchWorld(
  providers: readonly SearchProvider[],
  pages: Pages = {},
  options: {
    readonly now?: () => number;
    readonly usdPerRequest?: (provider: string) => number | undefined;
    readonly isPrivateHost?: (host: string) => boolean;
  } = {},
): { readonly search: Search; readonly fetched: PageRequest[] } {
  const fetched: PageRequest[] = [];
  const now = options.now ?? (() => NOW);
  async function fetchPage(request: PageRequest): Promise<FetchedPage> {
    fetched.push(request);
    const page = pages[request.url];
    if (page === undefined) throw new PageError("NETWORK_ERROR", "the page answered with status 404");
    const { finalUrl = request.url, ...document } = typeof page === "string" ? { text: page } : page;
    const refusal = request.refusalOf?.(new URL(finalUrl));
    if (refusal !== undefined) throw refusal;
    return {
      document: { format: "html", text: "", links: [], warnings: [], ...document },
      url: finalUrl,
      status: 200,
      bytes: 1,
      fetchedAt: now(),
    };
  }
  return { search: createSearch({ providers, pages: { fetch: fetchPage }, findInjections, ...options, now }), fetched };
}
