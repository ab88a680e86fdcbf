import { type ByteSearch, createByteSearch } from "./byte-search.ts";
import {
  base64Needles,
  hexNeedles,
  type NamedSecret,
  type OwnedNeedles,
  ownedNeedles,
  plainNeedles,
  spacesForPluses,
} from "./needles.ts";
import type { Steps } from "./steps.ts";
import { createTrace, decodedViews, ended, mixedViews, type TextView, withoutOpenEscapes } from "./text-views.ts";

/** The position of a secret in a text, in bytes of its UTF-8 form. */
export interface SecretSpan {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface SearchOptions {
  /** Whether to ignore case, for hosts and header names. Default: false. */
  readonly isCaseless?: boolean;
}

/** Searches texts for secrets, verbatim and in all supported encodings. */
export interface SecretSearch {
  /** Whether there are no secrets to search for. */
  readonly isEmpty: boolean;
  /** Returns the name of a secret that the text contains; undefined if there is none. */
  first(text: string, options?: SearchOptions): Steps<string | undefined>;
  /**
   * Returns all positions of secrets, unordered and possibly overlapping. Needs several times the memory of `first`.
   */
  spans(text: Uint8Array, options?: SearchOptions): Steps<readonly SecretSpan[]>;
  /**
   * Returns the position from which the end of the text may be the start of a secret, in any encoding; the text's
   * length if there is none.
   *
   * @param minBytes - shorter ends are ignored. Default: 4, because shorter starts of secrets appear by coincidence at
   *   the end of many texts.
   */
  beginningAtEnd(text: Uint8Array, minBytes?: number): Steps<number>;
}

const MIN_BEGINNING_BYTES = 4;
/** Maximum number of bytes that encode one byte: a JSON escape whose characters are percent-encoded. */
const MAX_BYTES_PER_BYTE = 18;

const SPACE = 0x20;

interface OwnedSearch {
  readonly search: ByteSearch;
  readonly names: readonly string[];
  /** Returns the form of the text in which these needles are searched for. */
  readonly viewOf: (view: TextView, options: { readonly isTraced: boolean }) => TextView;
}

/**
 * Prepares a search for secrets.
 *
 * @param secrets - values of less than 8 characters are ignored.
 */
export function createSecretSearch(secrets: readonly NamedSecret[]): SecretSearch {
  const plain = ownedNeedles(secrets, plainNeedles);
  const base64 = ownedNeedles(secrets, base64Needles);
  const hex = ownedNeedles(secrets, hexNeedles);
  // If no secret contains spaces or pluses, texts need not be converted.
  const hasSpaces = plain.needles.some((needle) => needle.includes(SPACE));
  const toPlainView: OwnedSearch["viewOf"] = (view) =>
    hasSpaces ? { ...view, bytes: spacesForPluses(view.bytes) } : view;
  const longest = hex.needles.reduce((most, { length }) => Math.max(most, length), 0);
  const prepared = new Map<boolean, readonly OwnedSearch[]>();

  function searches({ isCaseless = false }: SearchOptions = {}): readonly OwnedSearch[] {
    const known = prepared.get(isCaseless);
    if (known !== undefined) return known;
    const prepare = ({ needles, names }: OwnedNeedles, viewOf: OwnedSearch["viewOf"]): OwnedSearch => ({
      search: createByteSearch(needles, !isCaseless),
      names,
      viewOf,
    });
    const made = [prepare(plain, toPlainView), prepare(base64, toBase64View), prepare(hex, toHexView)];
    prepared.set(isCaseless, made);
    return made;
  }

  return {
    isEmpty: plain.needles.length === 0,
    *first(text, options) {
      for (const view of allViews(ended(Buffer.from(text, "utf8")), { isTraced: false })) {
        for (const { search, names, viewOf } of searches(options)) {
          for (const { needle } of search.matches(viewOf(view, { isTraced: false }).bytes)) return names[needle];
          yield;
        }
      }
      return undefined;
    },
    *spans(text, options) {
      const spans: SecretSpan[] = [];
      for (const view of allViews(ended(text), { isTraced: true })) {
        for (const search of searches(options)) {
          for (const span of spansIn(search, view)) spans.push(span);
          yield;
        }
      }
      return spans;
    },
    *beginningAtEnd(text, minBytes = MIN_BEGINNING_BYTES) {
      const from = Math.max(0, text.length - longest * MAX_BYTES_PER_BYTE);
      const tail = text.subarray(from);
      let start = tail.length;
      for (const view of allViews(tail, { isTraced: true })) {
        for (const closed of withoutOpenEscapes(view)) {
          // Only the start of an escape that is incomplete in several layers can be long.
          const { length } = closed.bytes;
          if (length < view.bytes.length) start = Math.min(start, view.origin?.starts[length] ?? length);
          for (const search of searches()) {
            start = Math.min(start, beginningIn(search, closed) ?? start);
            yield;
          }
        }
      }
      return tail.length - start < minBytes ? text.length : from + start;
    },
  };
}

function* allViews(text: Uint8Array, options: { readonly isTraced: boolean }): Generator<TextView, void, undefined> {
  yield* decodedViews(text, options);
  yield* mixedViews(text, options);
}

function beginningIn({ search, viewOf }: OwnedSearch, view: TextView): number | undefined {
  const { bytes, origin } = viewOf(view, { isTraced: true });
  const start = search.beginningAtEnd(bytes);
  if (start === bytes.length) return undefined;
  return origin === undefined ? start : origin.starts[start];
}

/**
 * Yields positions, and merges those that overlap. Otherwise, a text full of secrets would need many times its memory.
 */
function* spansIn({ search, names, viewOf }: OwnedSearch, view: TextView): Generator<SecretSpan, void, undefined> {
  const { bytes, origin } = viewOf(view, { isTraced: true });
  let last: SecretSpan | undefined;
  for (const match of search.matches(bytes)) {
    const name = names[match.needle] ?? "";
    const start = origin === undefined ? match.start : (origin.starts[match.start] ?? 0);
    const end = origin === undefined ? match.end : (origin.ends[match.end - 1] ?? 0);
    if (last !== undefined && start < last.end) {
      last = { ...last, end: Math.max(last.end, end) };
      continue;
    }
    if (last !== undefined) yield last;
    last = { name, start, end };
  }
  if (last !== undefined) yield last;
}

/** Maps a byte to its base64 character, or to 0 for white space, which is dropped. */
const BASE64_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === "-") return 0x2b;
  if (character === "_") return 0x2f;
  return byte < 0x80 && /\s/.test(character) ? 0 : byte;
});

/**
 * Returns the form of a text in which base64 is searched for: without white space, and with base64url converted to
 * base64.
 */
function toBase64View({ bytes, origin }: TextView, { isTraced }: { readonly isTraced: boolean }): TextView {
  const trace = isTraced ? createTrace(bytes.length, origin) : undefined;
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = BASE64_BYTES[bytes[at] ?? 0] ?? 0;
    if (byte === 0) continue;
    trace?.add(length, at, at + 1);
    kept[length++] = byte;
  }
  const view = { bytes: kept.subarray(0, length) };
  return trace === undefined ? view : { ...view, origin: trace.origin };
}

/** Minimum length of a run of digits. A shorter run can't contain a secret. */
const MIN_DIGITS = 16;

const DIGITS = "0123456789abcdef";
/** Characters that may separate digits. */
const SEPARATORS = " \t\n\v\f\r:-";
const SEPARATOR = 1;
/** Maps a byte to a lower-case digit, to {@link SEPARATOR}, or to 0 for everything else. */
const HEX_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte).toLowerCase();
  if (DIGITS.includes(character)) return character.charCodeAt(0);
  return SEPARATORS.includes(character) ? SEPARATOR : 0;
});

/**
 * Returns the long runs of hexadecimal digits in a text, in lower case and without separators, each followed by a zero
 * byte. The last run may be short, because it may continue after the end of the text.
 */
function toHexView({ bytes, origin }: TextView, { isTraced }: { readonly isTraced: boolean }): TextView {
  const trace = isTraced ? createTrace(bytes.length, origin) : undefined;
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  let runStart = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = HEX_BYTES[bytes[at] ?? 0] ?? 0;
    if (byte === SEPARATOR) continue;
    if (byte === 0) {
      if (length === runStart) continue;
      if (length - runStart < MIN_DIGITS) {
        length = runStart;
        continue;
      }
    }
    trace?.add(length, at, at + 1);
    kept[length++] = byte;
    if (byte === 0) runStart = length;
  }
  const view = { bytes: kept.subarray(0, length) };
  return trace === undefined ? view : { ...view, origin: trace.origin };
}
