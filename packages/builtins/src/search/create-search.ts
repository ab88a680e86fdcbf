import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import type { ContentWarning, FetchedPage, PageFetcher } from "../web/port.ts";
import {
  askAllProviders,
  askProviders,
  createCoolDowns,
  createLedger,
  type ProviderAttempt,
  type ProviderHits,
  type SearchLedger,
  type Spending,
} from "./asking/ask-providers.ts";
import { candidatesOf, isAllowedAddress, type LeftOut } from "./asking/candidates.ts";
import { createAgedCache, createSingleFlight } from "./cache/result-cache.ts";
import { compress } from "./evidence/compress.ts";
import { mergeMirrors } from "./evidence/near-duplicates.ts";
import { rankSources } from "./evidence/rank.ts";
import { queryTermsOf } from "./evidence/terms.ts";
import { type SearchEvidence, toEvidence } from "./evidence/to-evidence.ts";
import { type Source, toSource } from "./evidence/to-source.ts";
import { readPages } from "./pages/read-pages.ts";
import { hostOf } from "./pages/url-key.ts";
import { type AskForQueries, planQueries, type QueryPlan } from "./plan-queries.ts";
import type { SearchContext, SearchProvider } from "./port.ts";
import { SearchError } from "./search-error.ts";
import { isWithinDays, type SearchRequest } from "./search-request.ts";

/** Dependencies of {@link createSearch}. */
export interface SearchOptions {
  /** The providers in their default order. */
  readonly providers: readonly SearchProvider[];
  readonly pages: PageFetcher;
  /**
   * Returns whether a host is local or in a private network. Results from such hosts are not used as sources. Default:
   * never.
   */
  readonly isPrivateHost?: (host: string) => boolean;
  /** Finds passages in a text that address models, not readers. */
  readonly findInjections: (text: string) => readonly ContentWarning[];
  /** Returns the price of one request to a provider; undefined if unknown. Default: free. */
  readonly usdPerRequest?: (provider: string) => number | undefined;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

/** A finished search with its cost. */
export interface SearchRun extends Spending {
  readonly evidence: SearchEvidence;
}

/**
 * Called at the start of a search with a function that returns the cost so far. That cost counts even if the search
 * fails.
 */
export type OnSpending = (spending: () => Spending) => void;

/**
 * Runs searches: asks providers, reads pages, ranks the sources and selects passages from them. See docs/web-search.md.
 */
export interface Search {
  readonly providerNames: readonly string[];
  /**
   * Runs one search.
   *
   * @param ask - requests search queries from the agent's model.
   * @throws SearchError if no provider responded; SearchFailure `aborted` or the signal's reason if the search was
   *   cancelled.
   */
  search(
    request: SearchRequest,
    context: SearchContext,
    ask?: AskForQueries,
    onSpending?: OnSpending,
  ): Promise<SearchRun>;
  close(): Promise<void>;
}

/** Maximum share of the time for asking providers, if pages are read as well. */
const ASKING_SHARE = 0.6;
/** Time reserved for ranking, in ms. */
const RANKING_MS = 500;
const MAX_EVIDENCE = { maxEntries: 500, maxCharacters: 16_777_216 };
const MAX_PAGES = { maxEntries: 200, maxCharacters: 33_554_432 };
const HALF_LIFE_DAYS = 365;
const HALF_LIFE_DAYS_RECENT = 14;

/** Creates the search pipeline. Its caches are in this process, with separate entries for each workspace. */
export function createSearch(options: SearchOptions): Search {
  const { providers, now } = options;
  const coolDowns = createCoolDowns(now);
  const found = createAgedCache<SearchEvidence>({
    ...MAX_EVIDENCE,
    charactersOf: (evidence) => JSON.stringify(evidence).length,
    now,
  });
  const pageCache = createAgedCache<FetchedPage>({
    ...MAX_PAGES,
    charactersOf: ({ document }) => document.text.length,
    now,
  });
  const flights = createSingleFlight<SearchRun>();

  async function run(
    request: SearchRequest,
    context: SearchContext,
    ask: AskForQueries | undefined,
    onSpending: OnSpending | undefined,
  ): Promise<SearchRun & { readonly isPassing: boolean }> {
    const ledger = createLedger(options.usdPerRequest ?? (() => 0));
    onSpending?.(ledger.spending);
    const plan = await planQueries(request, now(), ask);
    const asked = await askAll(plan, request, context, ledger);
    const { candidates, leftOut } = candidatesOf(asked.found.map(withoutPrivate), plan.filters);
    const outcomes = await readPages(
      candidates,
      { ...context, deadline: context.deadline - RANKING_MS },
      {
        pages: options.pages,
        cache: pageCache,
        maxAgeMs: request.maxAgeSeconds * 1_000,
        count: request.fetchPages,
        respectRobots: request.respectRobots,
        isAllowed: (url) => isAllowedAddress(url, plan.filters),
        now,
      },
    );
    const sources: Source[] = [];
    for (const candidate of candidates) {
      sources.push(toSource(candidate, outcomes.get(candidate)));
      // Yields to the event loop, because long pages must not block other work.
      await yieldToEventLoop();
    }
    const fitting = filterRead(sources, plan, leftOut);
    const merged = await mergeMirrors(fitting.sources);
    const ranked = await rankSources(merged, {
      queryTerms: queryTermsOf([plan.filters.text, ...plan.texts].join(" ")),
      phrases: plan.phrases,
      now: now(),
      halfLifeDays: request.recency === "any" || request.recency === "year" ? HALF_LIFE_DAYS : HALF_LIFE_DAYS_RECENT,
    });
    const compressed = await compress(ranked.slice(0, request.maxResults), request.tokenBudget);
    const evidence = toEvidence({
      request,
      plan,
      attempts: asked.attempts,
      compressed,
      leftOut: { ...fitting.leftOut, duplicates: fitting.leftOut.duplicates + fitting.sources.length - merged.length },
      byLimit: Math.max(0, ranked.length - request.maxResults) + compressed.droppedSources,
      findInjections: options.findInjections,
    });
    const isPassing = asked.attempts.some(({ warnings = [] }) =>
      warnings.some((warning) => warning.isPassing === true),
    );
    return { evidence, ...ledger.spending(), isPassing };
  }

  function withoutPrivate(found: ProviderHits): ProviderHits {
    const { isPrivateHost = () => false } = options;
    const hits = found.hits.filter(({ url }) => !isPrivateHost(hostOf(url) ?? ""));
    const { byDomain = 0, byDate = 0, byTerm = 0 } = found.leftOut ?? {};
    const dropped = found.hits.length - hits.length;
    return { ...found, hits, leftOut: { byDomain: byDomain + dropped, byDate, byTerm } };
  }

  /** Runs one query after the other, because most services allow only one per second. */
  async function askAll(
    plan: QueryPlan,
    request: SearchRequest,
    context: SearchContext,
    ledger: SearchLedger,
  ): Promise<{ readonly found: readonly ProviderHits[]; readonly attempts: readonly ProviderAttempt[] }> {
    const share = request.fetchPages > 0 ? ASKING_SHARE : 1;
    const end = now() + (context.deadline - now()) * share;
    const chosen = chooseProviders(providers, request);
    const askThem = request.ask === "all" ? askAllProviders : askProviders;
    const all: ProviderHits[] = [];
    const attempts: ProviderAttempt[] = [];
    for (const [index, text] of plan.texts.entries()) {
      const deadline = now() + (end - now()) / (plan.texts.length - index);
      const answer = await askThem(
        { ...plan.filters, text },
        { ...context, deadline, isFresh: request.isFresh === true },
        { providers: chosen, coolDowns, ledger, now },
      );
      attempts.push(...answer.attempts);
      all.push(...answer.answers);
    }
    if (all.length === 0) throw new SearchError(attempts);
    return { found: all, attempts };
  }

  return {
    providerNames: providers.map(({ name }) => name),
    async search(request, context, ask, onSpending) {
      const state = await stateOf(chooseProviders(providers, request));
      const key = JSON.stringify([context.workspaceId, normalised(request), state ?? null]);
      const known = state === undefined ? undefined : found.get(key, request.maxAgeSeconds * 1_000);
      if (known !== undefined) {
        const ageSeconds = Math.max(0, Math.floor((now() - known.at) / 1_000));
        return {
          evidence: { ...known.value, query: request.query, cache: { hit: true, ageSeconds } },
          usd: 0,
          isPartial: false,
        };
      }
      const flight = request.isFresh === true ? `${key} fresh` : key;
      const { value, isJoined } = await flights.run(flight, context.signal, async (signal) => {
        const { isPassing, ...made } = await run(request, { ...context, signal }, ask, onSpending);
        if (state !== undefined && !isPassing) found.set(key, made.evidence);
        return made;
      });
      return isJoined ? { evidence: { ...value.evidence, query: request.query }, usd: 0, isPartial: false } : value;
    },
    async close() {
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}

function chooseProviders(
  providers: readonly SearchProvider[],
  { providers: wanted }: SearchRequest,
): readonly SearchProvider[] {
  if (wanted === undefined) return providers;
  return wanted.flatMap((name) => providers.filter((provider) => provider.name === name));
}

/**
 * Returns the current state of each provider's documents, null if it has none. Returns `undefined` if a provider that
 * has a state cannot report it now.
 */
async function stateOf(providers: readonly SearchProvider[]): Promise<readonly (string | null)[] | undefined> {
  try {
    return await Promise.all(providers.map(async (provider) => (await provider.revision?.()) ?? null));
  } catch {
    return undefined;
  }
}

/**
 * Applies the filters again to pages that were read, because a page may have redirected or may state its own
 * publication date.
 */
function filterRead(
  sources: readonly Source[],
  { filters }: QueryPlan,
  leftOut: LeftOut,
): { readonly sources: readonly Source[]; readonly leftOut: LeftOut } {
  const allowed = sources.filter(({ url }) => isAllowedAddress(url, filters));
  const dated = allowed.filter(({ publishedAt }) => isWithinDays(publishedAt, filters) !== false);
  return {
    sources: dated,
    leftOut: {
      ...leftOut,
      byDomain: leftOut.byDomain + sources.length - allowed.length,
      byDate: leftOut.byDate + allowed.length - dated.length,
    },
  };
}

/** Returns the cache key, which is equal for requests with identical results. */
function normalised({ query, maxAgeSeconds: _age, isFresh: _fresh, ...rest }: SearchRequest): unknown {
  return { ...rest, query: query.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase() };
}
