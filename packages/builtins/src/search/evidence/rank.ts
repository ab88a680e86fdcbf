import { createYielder, yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { getDomain } from "tldts";
import { hostOf } from "../pages/url-key.ts";
import type { Passage } from "./passages.ts";
import { termsOf } from "./terms.ts";
import type { Source } from "./to-source.ts";

/** A passage with its score: from 0 to 1, relative to the best of all passages. */
export interface RatedPassage {
  readonly passage: Passage;
  readonly relevance: number;
}

/** A source with its scores. */
export interface RankedSource {
  readonly source: Source;
  /** The final score, 0 to 1. */
  readonly score: number;
  /** Weighted share of the query's terms that the title and the three best passages contain, from 0 to 1. */
  readonly coverage: number;
  /** Score of the best passage, from 0 to 1. */
  readonly relevance: number;
  /** The passages of the source, best first. */
  readonly passages: readonly RatedPassage[];
}

/** Inputs of the ranking. */
export interface RankOptions {
  /** The terms of the query, each once. */
  readonly queryTerms: readonly string[];
  readonly phrases: readonly string[];
  /** ms since the epoch. */
  readonly now: number;
  /** Half-life of a source's freshness, in days. */
  readonly halfLifeDays: number;
}

const WEIGHTS = { relevance: 0.5, coverage: 0.2, position: 0.2, freshness: 0.1 } as const;
/** The freshness assumed for a source without a date. */
const UNDATED = 0.3;
const PHRASE_BONUS = 1.5;
/** Factor for the score of each further source from the same domain. */
const SAME_DOMAIN = 0.85;
const POSITIONS_TO_HALF = 5;

/**
 * Ranks sources by the text that was read and, with lower weight, by their position and date. The result is
 * deterministic. Yields to the event loop between sources.
 */
export async function rankSources(sources: readonly Source[], options: RankOptions): Promise<readonly RankedSource[]> {
  const { queryTerms, phrases } = options;
  const shown = sources.map((source) => (source.passages.length === 0 ? [excerptOf(source)] : source.passages));
  // Only the nearest heading counts, because the topic of the page says little about one passage.
  const terms: (readonly (readonly string[])[])[] = [];
  const turn = createYielder(15);
  for (const passages of shown) {
    const ofSource: (readonly string[])[] = [];
    for (const { text, headings } of passages) {
      ofSource.push(termsOf(`${headings.at(-1) ?? ""} ${text}`));
      await turn();
    }
    terms.push(ofSource);
    await yieldToEventLoop();
  }
  const { scores, weightOf } = await bm25(terms.flat(), queryTerms);
  const boosted = shown.flat().map(({ text }, index) => (scores[index] ?? 0) * bonusOf(text, phrases));
  const best = Math.max(0, ...boosted);
  const total = queryTerms.reduce((sum, term) => sum + weightOf(term), 0);
  let offset = 0;
  const rated = sources.map((source, index) => {
    const passages = (shown[index] ?? [])
      .map((passage, place) => ({
        passage,
        terms: terms[index]?.[place] ?? [],
        relevance: best === 0 ? 0 : (boosted[offset + place] ?? 0) / best,
      }))
      .toSorted((one, other) => other.relevance - one.relevance || one.passage.start - other.passage.start);
    offset += passages.length;
    const held = new Set([...termsOf(source.title), ...passages.slice(0, 3).flatMap((passage) => passage.terms)]);
    const covered = queryTerms.reduce((sum, term) => sum + (held.has(term) ? weightOf(term) : 0), 0);
    const coverage = total === 0 ? 0 : covered / total;
    const relevance = passages[0]?.relevance ?? 0;
    return { source, coverage, relevance, passages, score: scoreOf(source, coverage, relevance, options) };
  });
  return spread(rated);
}

function scoreOf(
  { candidate, publishedAt }: Source,
  coverage: number,
  relevance: number,
  options: RankOptions,
): number {
  const position = 1 / (1 + (candidate.position - 1) / POSITIONS_TO_HALF);
  const freshness = freshnessOf(publishedAt, options);
  return (
    WEIGHTS.relevance * relevance +
    WEIGHTS.coverage * coverage +
    WEIGHTS.position * position +
    WEIGHTS.freshness * freshness
  );
}

function freshnessOf(publishedAt: string | undefined, { now, halfLifeDays }: RankOptions): number {
  const at = publishedAt === undefined ? Number.NaN : Date.parse(publishedAt);
  if (Number.isNaN(at)) return UNDATED;
  return 2 ** (-Math.max(0, now - at) / 86_400_000 / halfLifeDays);
}

function bonusOf(text: string, phrases: readonly string[]): number {
  if (phrases.length === 0) return 1;
  const plain = text.toLowerCase().replace(/\s+/g, " ");
  return phrases.every((phrase) => plain.includes(phrase.toLowerCase())) ? PHRASE_BONUS : 1;
}

/**
 * Orders sources by repeatedly selecting the best of the remaining ones. The score of a source is lowered if others
 * from its domain were already selected.
 */
function spread(rated: readonly RankedSource[]): readonly RankedSource[] {
  const left = [...rated];
  const seen = new Map<string, number>();
  const ranked: RankedSource[] = [];
  const worth = ({ score, source }: RankedSource) =>
    score * SAME_DOMAIN ** (seen.get(registrableDomain(source.url)) ?? 0);
  while (left.length > 0) {
    const next = left.reduce((one, other) => {
      const difference = worth(other) - worth(one);
      if (difference !== 0) return difference > 0 ? other : one;
      return other.source.candidate.position < one.source.candidate.position ? other : one;
    });
    left.splice(left.indexOf(next), 1);
    ranked.push({ ...next, score: worth(next) });
    const domain = registrableDomain(next.source.url);
    seen.set(domain, (seen.get(domain) ?? 0) + 1);
  }
  return ranked;
}

function excerptOf({ snippet }: Source): Passage {
  return { start: 0, end: snippet.length, text: snippet, kind: "text", headings: [] };
}

const K1 = 1.2;
const B = 0.75;

/** The scores of the texts of a collection for a query. */
interface Bm25 {
  /** The score of each text, in the order of the texts. */
  readonly scores: readonly number[];
  /** Returns the weight of a query term: `ln(1 + (N − n + 0.5) / (n + 0.5))`. */
  weightOf(term: string): number;
}

/**
 * Scores texts by Okapi BM25 with k1 = 1.2 and b = 0.75, and a term weight that is never negative. Yields to the event
 * loop.
 *
 * @param texts - the terms of each text.
 * @param query - each term once.
 * @see Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009
 */
export async function bm25(texts: readonly (readonly string[])[], query: readonly string[]): Promise<Bm25> {
  const wanted = new Set(query);
  const turn = createYielder(15);
  const counted: ReadonlyMap<string, number>[] = [];
  for (const terms of texts) {
    const counts = new Map<string, number>();
    for (const term of terms) if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    counted.push(counts);
    await turn();
  }
  const meanLength = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const weights = new Map(
    [...wanted].map((term) => {
      const holders = counted.filter((counts) => counts.has(term)).length;
      return [term, Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  const scores = texts.map(({ length }, index) => {
    const norm = K1 * (1 - B + (B * length) / Math.max(1, meanLength));
    let score = 0;
    for (const [term, count] of counted[index] ?? []) {
      score += ((weights.get(term) ?? 0) * count * (K1 + 1)) / (count + norm);
    }
    return score;
  });
  return { scores, weightOf: (term) => weights.get(term) ?? 0 };
}

/**
 * Returns the registrable domain of a URL's host: `example.co.uk` for `www.example.co.uk`, `me.github.io` for
 * `me.github.io`. Returns the host for an IP address or a single label, and the scheme for a URL that is not http or
 * https.
 *
 * @see https://publicsuffix.org/list/, including its private section
 */
export function registrableDomain(url: string): string {
  const host = hostOf(url);
  if (host === undefined) return URL.parse(url)?.protocol ?? url;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
