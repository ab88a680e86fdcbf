import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { termsOf } from "./terms.ts";
import type { Source } from "./to-source.ts";

const SAME = 0.8;
const CONTAINED = 0.9;
/** Minimum number of shingles for a comparison. Shorter texts resemble each other by chance. */
const MIN_SHINGLES = 20;
const MIN_EXCERPT_TERMS = 8;
/** Number of terms that are compared, from the start of each page. The start is enough to identify a page. */
const COMPARED_TERMS = 2_000;

/**
 * Merges sources of the same page and near-duplicates into one source: one whose page was read if possible, otherwise
 * the one found first. A canonical URL is used only if it is on the page's own host, so that no page can pass for
 * another one. Yields to the event loop between sources.
 */
export async function mergeMirrors(sources: readonly Source[]): Promise<readonly Source[]> {
  const order = sources.toSorted((one, other) => weightOf(one) - weightOf(other));
  const kept: { source: Source; shingles: ReadonlySet<number>; excerpt: string; mirrors: string[] }[] = [];
  for (const source of order) {
    const isPage = source.basis === "page";
    const terms = isPage ? beginningOf(source) : termsOf(source.snippet);
    const shingles: ReadonlySet<number> = isPage ? shinglesOf(terms) : new Set();
    const excerpt = isPage || terms.length < MIN_EXCERPT_TERMS ? "" : terms.join(" ");
    const twin = kept.find((other) => {
      if (other.source.key === source.key) return true;
      if (excerpt !== "" && excerpt === other.excerpt) return true;
      if (Math.min(shingles.size, other.shingles.size) < MIN_SHINGLES) return false;
      const common = resemblance(shingles, other.shingles);
      return common.resemblance >= SAME || common.containment >= CONTAINED;
    });
    if (twin === undefined) kept.push({ source, shingles, excerpt, mirrors: [...source.mirrors] });
    else if (source.url !== twin.source.url) twin.mirrors.push(source.url, ...source.mirrors);
    await yieldToEventLoop();
  }
  return kept.map(({ source, mirrors }) => ({ ...source, mirrors: [...new Set(mirrors)] }));
}

function beginningOf({ passages }: Source): readonly string[] {
  const terms: string[] = [];
  for (const { text } of passages) {
    if (terms.length >= COMPARED_TERMS) break;
    terms.push(...termsOf(text));
  }
  return terms.slice(0, COMPARED_TERMS);
}

function weightOf({ basis, candidate }: Source): number {
  return candidate.position + (basis === "page" ? 0 : 1_000);
}

const WORDS = 5;
const MAX_SHINGLES = 2_000;

/** Returns the distinct hashes of all runs of 5 terms in a text, for its first 2,000 terms. */
export function shinglesOf(terms: readonly string[]): ReadonlySet<number> {
  const shingles = new Set<number>();
  for (let index = 0; index + WORDS <= terms.length && shingles.size < MAX_SHINGLES; index += 1) {
    shingles.add(hashOf(terms.slice(index, index + WORDS).join(" ")));
  }
  return shingles;
}

/**
 * Measures the similarity of two texts, from 0 to 1.
 *
 * @returns `resemblance` relative to the union; `containment` relative to the smaller text.
 * @see Broder, On the resemblance and containment of documents, 1997
 */
export function resemblance(
  one: ReadonlySet<number>,
  other: ReadonlySet<number>,
): { readonly resemblance: number; readonly containment: number } {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  if (small.size === 0) return { resemblance: 0, containment: 0 };
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared += 1;
  return { resemblance: shared / (small.size + large.size - shared), containment: shared / small.size };
}

/** Returns the 32-bit FNV-1a hash over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return hash >>> 0;
}
