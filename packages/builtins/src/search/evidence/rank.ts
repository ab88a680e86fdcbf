import { createYielder, yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { registrableDomain } from "../pages/registrable-domain.ts";
import { bm25 } from "./bm25.ts";
import type { Passage } from "./passages.ts";
import type { Source } from "./source.ts";
import { termsOf } from "./terms.ts";

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
