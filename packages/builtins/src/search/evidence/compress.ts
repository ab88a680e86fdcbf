import { createYielder } from "@yagate/lib/async/event-loop";
import { estimateTokens } from "@yagate/lib/text/token-estimate";
import { resemblance, shinglesOf } from "./near-duplicates.ts";
import type { Passage } from "./passages.ts";
import type { RankedSource } from "./rank.ts";
import { termsOf } from "./terms.ts";

/** A source with its selected passages, in the order in which they occur in the text. */
export interface CompressedSource {
  readonly ranked: RankedSource;
  readonly passages: readonly Passage[];
}

/** The sources and passages that fit into the budget. */
export interface Compressed {
  readonly sources: readonly CompressedSource[];
  /** Number of sources that did not fit. */
  readonly droppedSources: number;
  /** Number of relevant passages that are not shown. */
  readonly droppedPassages: number;
  readonly tokens: number;
}

/** Maximum share of the budget for one source while there are other sources. */
const MAX_SHARE = 0.6;
/** Minimum score relative to the best passage. Passages with a lower score are not worth their tokens. */
const MIN_RELEVANCE = 0.15;
const REPEATED = 0.6;
/**
 * Maximum number of further passages that are tried after the best one of each source: more than any budget can fit.
 */
const MOST_TRIED = 400;
/** Tokens for names and punctuation around each passage. */
const PASSAGE_OVERHEAD = 20;
const SOURCE_OVERHEAD = 60;

/**
 * Selects what a model reads within a budget: first the best passage of each source, then the best of the remaining
 * passages. Passages are verbatim, complete and distinct. Yields to the event loop.
 *
 * @param ranked - sources, best first.
 * @param tokenBudget - tokens for all text in the result, as `estimateTokens` counts them.
 */
export async function compress(ranked: readonly RankedSource[], tokenBudget: number): Promise<Compressed> {
  const chosen = new Map<RankedSource, { passages: Passage[]; tokens: number }>();
  const shown: ReadonlySet<number>[] = [];
  let tokens = 0;
  let droppedPassages = 0;
  const turn = createYielder(15);
  for (const one of ranked) {
    const base = SOURCE_OVERHEAD + estimateTokens(one.source.title + one.source.url + one.source.snippet);
    if (tokens + base > tokenBudget && chosen.size > 0) break;
    chosen.set(one, { passages: [], tokens: base });
    tokens += base;
  }
  const sources = [...chosen.keys()];
  const share = sources.length > 1 ? tokenBudget * MAX_SHARE : tokenBudget;
  const take = (one: RankedSource, passage: Passage) => {
    const kept = chosen.get(one);
    const cost = PASSAGE_OVERHEAD + estimateTokens(passage.text + passage.headings.join(""));
    if (kept === undefined || tokens + cost > tokenBudget || kept.tokens + cost > share) return false;
    const shingles = shinglesOf(termsOf(passage.text));
    if (shown.some((other) => resemblance(shingles, other).containment >= REPEATED)) return false;
    shown.push(shingles);
    kept.passages.push(passage);
    kept.tokens += cost;
    tokens += cost;
    return true;
  };
  const speaking = sources
    .filter(({ source }) => source.basis === "page")
    .map((one) => ({ one, rest: one.passages.filter(({ relevance }) => relevance >= MIN_RELEVANCE) }));
  const later: { readonly one: RankedSource; readonly passage: Passage; readonly worth: number }[] = [];
  for (const { one, rest } of speaking) {
    let first = -1;
    for (const [index, { passage }] of rest.slice(0, MOST_TRIED).entries()) {
      await turn();
      if (!take(one, passage)) continue;
      first = index;
      break;
    }
    for (const [index, { passage, relevance }] of rest.entries()) {
      if (index !== first) later.push({ one, passage, worth: relevance * (0.5 + 0.5 * one.score) });
    }
  }
  for (const [index, { one, passage }] of later.toSorted((a, b) => b.worth - a.worth).entries()) {
    await turn();
    if (index >= MOST_TRIED || !take(one, passage)) droppedPassages += 1;
  }
  return {
    sources: sources.map((one) => ({
      ranked: one,
      passages: (chosen.get(one)?.passages ?? []).toSorted((a, b) => a.start - b.start),
    })),
    droppedSources: ranked.length - sources.length,
    droppedPassages,
    tokens,
  };
}
