import { beginningOf } from "@yagate/lib/text/cut-text";
import type { Evidence } from "./evidence.ts";
import { pageOf } from "./page-of.ts";

/** A source and one of its passages; without one if the source has none. */
export interface Found {
  readonly source: Evidence;
  readonly passage?: string | undefined;
}

/** What an answer writes to cite a source: its number, the id of an artifact, or a URL. */
export interface Mark {
  readonly number?: string | undefined;
  readonly artifactId?: string | undefined;
  readonly url?: string | undefined;
}

/** The sources of an execution, by what an answer writes to cite them. */
export interface EvidenceIndex {
  /** Returns the passages of the sources that a mark cites, latest source first. */
  candidatesOf(mark: Mark): readonly Found[];
  /**
   * Returns the candidate whose passage shares most words with a text; the first one if none shares more. Undefined if
   * there are no candidates.
   */
  closestTo(text: string, candidates: readonly Found[]): Found | undefined;
}

/** Maximum number of passages that are compared for one mark. */
const MAX_CANDIDATES = 500;
/** Length of the beginning of a passage that is compared, in characters. */
const COMPARED_CHARACTERS = 4_000;

/** Indexes sources, so that the work for a mark does not depend on how many others were found and how long they are. */
export function createEvidenceIndex(evidence: readonly Evidence[]): EvidenceIndex {
  const byKey = new Map<string, Found[]>();
  const wordsByCandidate = new Map<Found, ReadonlySet<string>>();
  for (const source of evidence) {
    const { passages } = source;
    const found: readonly Found[] =
      passages.length === 0 ? [{ source }] : passages.map((passage) => ({ source, passage }));
    for (const key of keysOf(source)) {
      const known = byKey.get(key) ?? [];
      byKey.set(key, known);
      known.push(...found.slice(0, MAX_CANDIDATES - known.length));
    }
  }

  /** Returns the words of a candidate, which are read once and only if a mark cites its source. */
  function wordsOfCandidate(candidate: Found): ReadonlySet<string> {
    const known = wordsByCandidate.get(candidate);
    if (known !== undefined) return known;
    const words = wordsOf(beginningOf(candidate.passage ?? "", COMPARED_CHARACTERS));
    wordsByCandidate.set(candidate, words);
    return words;
  }

  return {
    candidatesOf: (mark) => wantedKeys(mark).flatMap((key) => byKey.get(key) ?? []),
    closestTo(text, candidates) {
      const words = wordsOf(text);
      let [best] = candidates;
      let most = 0;
      for (const candidate of candidates) {
        const count = shared(words, wordsOfCandidate(candidate));
        if (count > most) [best, most] = [candidate, count];
      }
      return best;
    },
  };
}

function keysOf({ id, artifactId, page }: Evidence): readonly string[] {
  return [
    ...(id === undefined ? [] : [`number ${id}`]),
    ...(artifactId === undefined ? [] : [`artifact ${artifactId}`]),
    ...(page === undefined ? [] : [`page ${page}`]),
  ];
}

/** Returns the keys that a mark may mean. In a sentence, punctuation may follow a URL. */
function wantedKeys({ number, artifactId, url }: Mark): readonly string[] {
  if (number !== undefined) return keysOf({ id: Number(number), passages: [] });
  if (artifactId !== undefined) return keysOf({ artifactId, passages: [] });
  if (url === undefined) return [];
  const urls = new Set([url, url.replace(/[.,;:!?]+$/, "")]);
  const pages = new Set([...urls].map(pageOf));
  return [...pages].flatMap((page) => keysOf({ page, passages: [] }));
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const [fewer, more] = words.size < others.size ? [words, others] : [others, words];
  let count = 0;
  for (const word of fewer) if (more.has(word)) count += 1;
  return count;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));
}
