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
