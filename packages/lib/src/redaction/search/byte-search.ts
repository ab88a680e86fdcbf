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

/** Finds the needle that starts at a position of a text, even for many and similar needles. */
interface NeedleIndex {
  /**
   * Prepares a text. Its hashes are calculated on demand.
   *
   * @returns a function that maps a position followed by at least one window to the index of the longest needle that
   *   starts there; -1 if there is none. The result is correct except for collisions of 53-bit hashes.
   */
  lookIn(text: Uint8Array): (at: number) => number;
}

/** Factors of two polynomials modulo 2 ** 32: arbitrary odd numbers. */
const FACTORS = [0x9e3779b1, 0x85ebca6b] as const;
const FILTER_SIZE = 65_536;

/** Combines 32 bits of the first hash with 21 of the second. */
const keyOf = (first: number, second: number) => (first >>> 0) * 2_097_152 + (second >>> 11);

/**
 * Creates an index. It marks some prefixes of each needle: its window, and further prefixes in steps of decreasing
 * powers of two of the length. Repeatedly taking the largest step to a marked prefix finds the longest needle in as
 * many steps as its length has binary digits.
 *
 * @param needles - folded, each at least as long as the window.
 * @param window - in bytes, at least 1.
 * @param fold - the folded value of each byte.
 */
function createNeedleIndex(
  needles: readonly Uint8Array[],
  { window, fold }: { readonly window: number; readonly fold: Uint8Array },
): NeedleIndex {
  const maxLength = needles.reduce((most, { length }) => Math.max(most, length), window);
  const powers = FACTORS.map((factor) => powersOf(factor, maxLength));
  const [firstPowers = new Int32Array(), secondPowers = new Int32Array()] = powers;
  const greatestStep = maxLength === window ? 0 : 2 ** Math.floor(Math.log2(maxLength - window));
  /** The longest needle in each marked prefix, by the hash of the prefix. */
  const marks = new Map<number, number>();
  const filter = new Uint8Array(FILTER_SIZE);

  function keyBetween(hashes: Hashes, start: number, end: number): number {
    const [first, second] = hashes;
    return keyOf(
      (first[end] ?? 0) - Math.imul(first[start] ?? 0, firstPowers[end - start] ?? 0),
      (second[end] ?? 0) - Math.imul(second[start] ?? 0, secondPowers[end - start] ?? 0),
    );
  }

  for (const { needle, inside } of withBeginnings(needles)) {
    const bytes = needles[needle] ?? new Uint8Array();
    const hashes = hashesOf(bytes, SAME_BYTES);
    filter[filterSlot(hashes[0][window] ?? 0)] = 1;
    let length = window;
    for (let step = greatestStep; ; step = step >> 1) {
      const longest = inside.findLast((other) => (needles[other]?.length ?? 0) <= length) ?? -1;
      marks.set(keyBetween(hashes, 0, length), longest);
      while (step > 0 && length + step > bytes.length) step = step >> 1;
      if (step === 0) break;
      length += step;
    }
  }

  return {
    lookIn(text) {
      let hashes: Hashes | undefined;
      let hash = 0;
      let hashedUntil = 0;
      const valueAt = (index: number) => (fold[text[index] ?? 0] ?? 0) + 1;
      return (at) => {
        // Adjacent windows share all but one byte.
        if (hashedUntil === at + window - 1 && at > 0) {
          hash = (hash - Math.imul(valueAt(at - 1), firstPowers[window - 1] ?? 0)) | 0;
        } else {
          hash = 0;
          hashedUntil = at;
        }
        for (; hashedUntil < at + window; hashedUntil++) {
          hash = (Math.imul(hash, FACTORS[0]) + valueAt(hashedUntil)) | 0;
        }
        if (filter[filterSlot(hash)] === 0) return -1;
        hashes ??= hashesOf(text, fold);
        let end = at + window;
        let longest = marks.get(keyBetween(hashes, at, end));
        if (longest === undefined) return -1;
        for (let step = greatestStep; step > 0; step = step >> 1) {
          if (end + step > text.length) continue;
          const inside = marks.get(keyBetween(hashes, at, end + step));
          if (inside === undefined) continue;
          longest = inside;
          end += step;
        }
        return longest;
      };
    },
  };
}

const SAME_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

const filterSlot = (hash: number) => hash >>> 16;

/** The hashes of a text's prefixes, by length. */
type Hashes = readonly [Int32Array, Int32Array];

function hashesOf(text: Uint8Array, fold: Uint8Array): Hashes {
  const [first, second] = [new Int32Array(text.length + 1), new Int32Array(text.length + 1)];
  let [one, two] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    // The initial hash is not zero, because a prefix of zeros would then have the hash of the empty prefix.
    const value = (fold[text[index] ?? 0] ?? 0) + 1;
    one = (Math.imul(one, FACTORS[0]) + value) | 0;
    two = (Math.imul(two, FACTORS[1]) + value) | 0;
    first[index + 1] = one;
    second[index + 1] = two;
  }
  return [first, second];
}

function powersOf(factor: number, count: number): Int32Array {
  const powers = new Int32Array(count + 1).fill(1);
  for (let index = 1; index <= count; index++) powers[index] = Math.imul(powers[index - 1] ?? 0, factor);
  return powers;
}

/** Yields, for each needle, the needles that are prefixes of it and the needle itself, shortest first. */
function* withBeginnings(needles: readonly Uint8Array[]) {
  const inOrder = needles.map((bytes, needle) => ({ bytes, needle })).sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const inside: { readonly bytes: Uint8Array; readonly needle: number }[] = [];
  for (const next of inOrder) {
    for (let last = inside.at(-1); last !== undefined && !startsWith(next.bytes, last.bytes); last = inside.at(-1)) {
      inside.pop();
    }
    inside.push(next);
    yield { needle: next.needle, inside: inside.map(({ needle }) => needle) };
  }
}

function startsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  return bytes.length >= beginning.length && Buffer.compare(bytes.subarray(0, beginning.length), beginning) === 0;
}
