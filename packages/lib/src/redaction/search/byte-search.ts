import { createNeedleIndex } from "./needle-index.ts";

/** The position of a match. */
export interface ByteMatch {
  /** Index in the list of needles. */
  readonly needle: number;
  readonly start: number;
  readonly end: number;
}

/** Searches for many needles in one pass. */
export interface ByteSearch {
  /** Yields the longest needle at each position where a needle starts, ordered by position. The search is lazy. */
  matches(text: Uint8Array): Iterable<ByteMatch>;
  /**
   * Returns the start of the longest suffix of the text that is a proper prefix of a needle; the text's length if there
   * is none.
   */
  beginningAtEnd(text: Uint8Array): number;
}

/** Minimum length of a needle. With shorter ones, the search could skip too little. */
export const MIN_NEEDLE_BYTES = 8;

/** Number of bytes by which the table is indexed. */
const BLOCK_BYTES = 3;
const TABLE_SIZE = 65_536;
/** Maximum size of the window in bytes. Only this part of longer needles is compared before the index is used. */
const MAX_WINDOW_BYTES = 32;

/**
 * Maps upper case to lower case, and also merges a few other characters, which is acceptable because the table is only
 * a first filter.
 */
const blurred = (byte: number) => byte | 0x20;

function blockAt(bytes: Uint8Array, at: number): number {
  const first = blurred(bytes[at] ?? 0) << 11;
  const second = blurred(bytes[at + 1] ?? 0) << 5;
  return (first ^ second ^ blurred(bytes[at + 2] ?? 0)) & (TABLE_SIZE - 1);
}

const SAME = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const LOWERED = SAME.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte));

/**
 * Creates a Wu-Manber search. A table maps the last bytes of a window to the distance by which the window can move, so
 * most of the text is never read. If the table can't rule out a match, an index of hashes finds the needle in a number
 * of steps that is logarithmic in the needle's length. The search time is linear in the size of the text and the
 * needles, even if the needles are similar.
 *
 * @param needles - needles shorter than {@link MIN_NEEDLE_BYTES} are never found.
 * @param isCaseSensitive - whether `A` and `a` are different.
 */
export function createByteSearch(needles: readonly Uint8Array[], isCaseSensitive: boolean): ByteSearch {
  const fold = isCaseSensitive ? SAME : LOWERED;
  const used = needles
    .map((bytes, index) => ({ bytes: bytes.map((byte) => fold[byte] ?? 0), index }))
    .filter(({ bytes }) => bytes.length >= MIN_NEEDLE_BYTES);
  const window = used.reduce((least, { bytes }) => Math.min(least, bytes.length), MAX_WINDOW_BYTES);
  const shifts = new Uint8Array(TABLE_SIZE).fill(Math.max(1, window - BLOCK_BYTES + 1));
  for (const { bytes } of used) {
    for (let at = 0; at + BLOCK_BYTES <= window; at++) {
      const block = blockAt(bytes, at);
      shifts[block] = Math.min(shifts[block] ?? 0, window - BLOCK_BYTES - at);
    }
  }
  const index = createNeedleIndex(
    used.map(({ bytes }) => bytes),
    { window, fold },
  );

  let borders: readonly Uint32Array[] | undefined;

  function isAt(text: Uint8Array, bytes: Uint8Array, at: number): boolean {
    for (let offset = 0; offset < bytes.length; offset++) {
      if (fold[text[at + offset] ?? 0] !== bytes[offset]) return false;
    }
    return true;
  }

  return {
    *matches(text) {
      if (used.length === 0) return;
      const longestAt = index.lookIn(text);
      let comparedUntil = 0;
      for (let at = window - BLOCK_BYTES; at + BLOCK_BYTES <= text.length; ) {
        const shift = shifts[blockAt(text, at)] ?? 1;
        if (shift > 0) {
          at += shift;
          continue;
        }
        const start = at - (window - BLOCK_BYTES);
        at += 1;
        const found = used[longestAt(start)];
        if (found === undefined) continue;
        const end = start + found.bytes.length;
        // Long overlapping matches are not compared, because that could take time proportional to the product of both
        // lengths.
        if (start >= comparedUntil || found.bytes.length <= MAX_WINDOW_BYTES) {
          if (!isAt(text, found.bytes, start)) continue;
          comparedUntil = Math.max(comparedUntil, end);
        }
        yield { needle: found.index, start, end };
      }
    },
    beginningAtEnd(text) {
      let longest = 0;
      borders ??= used.map(({ bytes }) => bordersOf(bytes));
      for (const [index, { bytes }] of used.entries()) {
        longest = Math.max(longest, beginningAtEnd(text, { bytes, borders: borders[index] ?? NO_BORDERS }, fold));
      }
      return text.length - longest;
    },
  };
}

const NO_BORDERS = new Uint32Array();

/** Returns, for each prefix of a needle, the length of its longest proper suffix that is also a prefix. */
function bordersOf(needle: Uint8Array): Uint32Array {
  const borders = new Uint32Array(needle.length);
  for (let index = 1, length = 0; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[index] === needle[length]) length += 1;
    borders[index] = length;
  }
  return borders;
}

/**
 * Returns how many of a needle's first bytes are at the end of a text; a complete needle does not count. Uses the
 * method of Knuth, Morris and Pratt.
 */
function beginningAtEnd(
  text: Uint8Array,
  { bytes: needle, borders }: { readonly bytes: Uint8Array; readonly borders: Uint32Array },
  fold: Uint8Array,
): number {
  let length = 0;
  for (let index = Math.max(0, text.length - needle.length + 1); index < text.length; index++) {
    const byte = fold[text[index] ?? 0];
    while (length > 0 && byte !== needle[length]) length = borders[length - 1] ?? 0;
    if (byte === needle[length]) length += 1;
  }
  return length;
}
