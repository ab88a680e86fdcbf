import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import { resemblance, shinglesOf } from "./shingles.ts";
import type { Source } from "./source.ts";
import { termsOf } from "./terms.ts";

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
