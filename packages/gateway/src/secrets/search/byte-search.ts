/** What is looked for, as bytes. At least {@link MIN_NEEDLE_BYTES} long. */
export interface Needle {
  readonly bytes: Uint8Array;
  /** Whether `A` and `a` are different. */
  readonly isCaseSensitive: boolean;
}

/** Where a needle was found. */
export interface ByteMatch {
  /** Its position in the list of needles. */
  readonly needle: number;
  readonly start: number;
  readonly end: number;
}

/** Looks for many needles in one pass. */
export interface ByteSearch {
  /**
   * Every occurrence of any needle, by its start; of a needle of more than 32 bytes those that do not overlap. The pass
   * goes on only as far as matches are asked for.
   */
  matches(text: Uint8Array): Iterable<ByteMatch>;
}

/** Shorter needles would make the steps through the text too short. */
export const MIN_NEEDLE_BYTES = 8;

/** How many bytes tell where a needle may be. */
const BLOCK_BYTES = 3;
const TABLE_SIZE = 65_536;
/** Of longer needles this much is compared before the rest is searched for in linear time. */
const PROBE_BYTES = 32;

/** Letters of both cases alike, and a few other characters too: a first look only. */
const blurred = (byte: number) => byte | 0x20;

function blockAt(bytes: Uint8Array, at: number): number {
  const first = blurred(bytes[at] ?? 0) << 11;
  const second = blurred(bytes[at + 1] ?? 0) << 5;
  return (first ^ second ^ blurred(bytes[at + 2] ?? 0)) & (TABLE_SIZE - 1);
}

const SAME = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const LOWERED = SAME.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte));

/** What a byte counts as in a comparison with a needle. */
const foldOf = ({ isCaseSensitive }: Needle) => (isCaseSensitive ? SAME : LOWERED);

/**
 * A search in the manner of Wu and Manber: a table tells by the last bytes of a window how far it can be moved, so that
 * most of the text is never looked at. What the table can't rule out is compared, at most {@link PROBE_BYTES}; the rest
 * of a longer needle is searched for by Knuth, Morris and Pratt's method. So no text and no needle makes it slow.
 *
 * @param needles - those that are shorter than {@link MIN_NEEDLE_BYTES} are never found.
 */
export function createByteSearch(needles: readonly Needle[]): ByteSearch {
  const used = needles.map((_, index) => index).filter((index) => lengthOf(needles[index]) >= MIN_NEEDLE_BYTES);
  const window = Math.min(PROBE_BYTES, ...used.map((index) => lengthOf(needles[index])));
  const shifts = new Uint8Array(TABLE_SIZE).fill(Math.max(1, window - BLOCK_BYTES + 1));
  const byLastBlock = new Map<number, number[]>();
  for (const index of used) {
    const { bytes } = needles[index] ?? { bytes: new Uint8Array() };
    for (let at = 0; at + BLOCK_BYTES <= window; at++) {
      const block = blockAt(bytes, at);
      const shift = window - BLOCK_BYTES - at;
      shifts[block] = Math.min(shifts[block] ?? 0, shift);
      if (shift === 0) byLastBlock.set(block, [...(byLastBlock.get(block) ?? []), index]);
    }
  }
  const borders = new Map<number, Uint32Array>();

  function isAt(text: Uint8Array, needle: Needle, at: number): boolean {
    const { bytes } = needle;
    if (at + bytes.length > text.length) return false;
    const fold = foldOf(needle);
    const length = Math.min(bytes.length, PROBE_BYTES);
    for (let offset = 0; offset < length; offset++) {
      if (fold[text[at + offset] ?? 0] !== fold[bytes[offset] ?? 0]) return false;
    }
    return true;
  }

  function bordersOf(index: number, needle: Needle): Uint32Array {
    const known = borders.get(index) ?? bordersIn(needle);
    borders.set(index, known);
    return known;
  }

  return {
    *matches(text) {
      if (used.length === 0) return;
      /** Where a long needle is found next; past the end of the text once it is known to come no more. */
      const next = new Map<number, number>();
      for (let at = window - BLOCK_BYTES; at + BLOCK_BYTES <= text.length; ) {
        const block = blockAt(text, at);
        const shift = shifts[block] ?? 1;
        if (shift > 0) {
          at += shift;
          continue;
        }
        const start = at - (window - BLOCK_BYTES);
        for (const index of byLastBlock.get(block) ?? []) {
          const needle = needles[index];
          // The rest of a long needle was searched for already: a text in which its start comes again and again costs no more.
          if (needle === undefined || (next.get(index) ?? -1) > start || !isAt(text, needle, start)) continue;
          const { length } = needle.bytes;
          if (length > PROBE_BYTES) {
            const found = next.get(index) === start ? start : indexFrom(text, needle, bordersOf(index, needle), start);
            next.set(index, found === start ? start + length : found);
            if (found !== start) continue;
          }
          yield { needle: index, start, end: start + length };
        }
        at += 1;
      }
    },
  };
}

function lengthOf(needle: Needle | undefined): number {
  return needle?.bytes.length ?? 0;
}

/** For each prefix of the needle, the length of its longest proper border. */
function bordersIn(needle: Needle): Uint32Array {
  const { bytes } = needle;
  const fold = foldOf(needle);
  const borders = new Uint32Array(bytes.length);
  let length = 0;
  for (let index = 1; index < bytes.length; index++) {
    const byte = fold[bytes[index] ?? 0];
    while (length > 0 && byte !== fold[bytes[length] ?? 0]) length = borders[length - 1] ?? 0;
    if (byte === fold[bytes[length] ?? 0]) length += 1;
    borders[index] = length;
  }
  return borders;
}

/** @returns the length of the text where there is none. */
function indexFrom(text: Uint8Array, needle: Needle, borders: Uint32Array, from: number): number {
  const { bytes } = needle;
  const fold = foldOf(needle);
  let length = 0;
  for (let index = from; index < text.length; index++) {
    const byte = fold[text[index] ?? 0];
    while (length > 0 && byte !== fold[bytes[length] ?? 0]) length = borders[length - 1] ?? 0;
    if (byte === fold[bytes[length] ?? 0]) length += 1;
    if (length === bytes.length) return index - length + 1;
  }
  return text.length;
}
