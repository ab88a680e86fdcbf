import type { Escape } from "./character-reference.ts";
import { characterReference } from "./character-reference.ts";

/** A text, or a form of it after decoding. */
export interface TextView {
  readonly bytes: Uint8Array;
  /** The original position of each decoded byte; undefined if nothing was decoded. */
  readonly origin?: { readonly starts: Uint32Array; readonly ends: Uint32Array };
}

/**
 * Within this distance from the last escape, bytes are checked one at a time; farther away, the native search is
 * faster.
 */
const NEAR_BYTES = 64;

const BACKSLASH = 0x5c;
const SEMICOLON = 0x3b;
const UNICODE_ESCAPE = 0x75;
/** The meaning of a backslash with the character after it, keyed by that character. */
const SHORT_ESCAPES: ReadonlyMap<number, number> = new Map(
  [
    ['"', '"'],
    ["\\", "\\"],
    ["/", "/"],
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
  ].map(([letter = "", meaning = ""]) => [letter.charCodeAt(0), meaning.charCodeAt(0)]),
);

/**
 * Yields the text and its decoded forms. Layers are removed in these orders: percent-encoding (up to three), then JSON
 * escapes (up to two); JSON escapes (one), then percent-encoding; and HTML character references (up to two), first or
 * after one layer of JSON escapes, then the others. At most six views are in memory at the same time.
 *
 * @param isTraced - whether each view records the original positions of its bytes.
 */
export function* decodedViews(
  text: Uint8Array,
  { isTraced }: { readonly isTraced: boolean },
): Generator<TextView, void, undefined> {
  const whole = { bytes: text };
  yield* unescapedViews(whole, isTraced);
  for (const view of peeled(whole, CHARACTER_REFERENCES, isTraced)) yield* unescapedViews(view, isTraced);
  const unescaped = decode(whole, JSON_ESCAPES, isTraced);
  if (unescaped === undefined) return;
  yield* peeled(unescaped, PERCENT_ENCODING, isTraced);
  for (const view of peeled(unescaped, CHARACTER_REFERENCES, isTraced)) {
    yield view;
    yield* peeled(view, PERCENT_ENCODING, isTraced);
  }
}

/**
 * Yields the forms of the text after removing escapes of all encodings together, layer by layer. They cover encodings
 * in any other order, or mixed in one layer. In these views, a secret appears in the form that {@link withoutEscapes}
 * returns.
 */
export function* mixedViews(
  text: Uint8Array,
  { isTraced }: { readonly isTraced: boolean },
): Generator<TextView, void, undefined> {
  const met = new Set<number>();
  let view: TextView | undefined = { bytes: text };
  for (let layer = 0; layer < MAX_MIXED_LAYERS; layer++) {
    view = decodeMixed(view, met, isTraced);
    if (view === undefined) return;
    // Layers of a single encoding are covered by `decodedViews`.
    if (met.size > 1) yield view;
  }
}

/** Removes all escapes that mixed views decode from a text. */
export function withoutEscapes(text: Uint8Array): Uint8Array {
  let view: TextView = { bytes: ended(text) };
  for (let layer = 0; layer < MAX_MIXED_LAYERS; layer++) {
    const next = decodeMixed(view, new Set(), false);
    if (next === undefined) break;
    view = next;
  }
  return view.bytes.subarray(0, -1);
}

/** Marks the end of a text with a zero byte, so that an escape at its end counts as complete. */
export function ended(text: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(text.length + 1);
  bytes.set(text);
  return bytes;
}

/** Yields the view, and its forms without percent-encoding and JSON escapes. */
function* unescapedViews(view: TextView, isTraced: boolean): Generator<TextView, void, undefined> {
  yield view;
  yield* peeled(view, JSON_ESCAPES, isTraced);
  for (const decoded of peeled(view, PERCENT_ENCODING, isTraced)) {
    yield decoded;
    yield* peeled(decoded, JSON_ESCAPES, isTraced);
  }
}

/** Yields the view with one layer removed, then with two, up to the number of supported layers. */
function* peeled(view: TextView, encoding: Encoding, isTraced: boolean): Generator<TextView, void, undefined> {
  let rest: TextView | undefined = view;
  for (let layer = 0; layer < encoding.layers; layer++) {
    rest = decode(rest, encoding, isTraced);
    if (rest === undefined) return;
    yield rest;
  }
}

/** An incomplete escape of any encoding. */
const OPEN_ESCAPE = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?|&(?:#(?:[0-9]{0,7}|x[0-9a-f]{0,6})|[a-z]{0,8})?)$/i;
/** Maximum length of an incomplete escape in bytes. */
const MAX_OPEN_BYTES = 16;
/** Maximum number of incomplete escapes inside each other: each may contain the previous one in encoded form. */
const MAX_OPEN_ESCAPES = 4;

/** Yields the view, then the part of it before an incomplete escape at its end, and repeats this for that part. */
export function* withoutOpenEscapes(view: TextView): Generator<TextView, void, undefined> {
  yield view;
  let { bytes } = view;
  for (let count = 0; count < MAX_OPEN_ESCAPES; count++) {
    const [open] = OPEN_ESCAPE.exec(Buffer.from(bytes.subarray(-MAX_OPEN_BYTES)).toString("latin1")) ?? [];
    if (open === undefined) return;
    bytes = bytes.subarray(0, bytes.length - open.length);
    yield { ...view, bytes };
  }
}

/** An encoding that writes a character as an escape with a fixed first character. */
interface Encoding {
  readonly mark: number;
  readonly escapeAt: (bytes: Uint8Array, at: number) => Escape | undefined;
  /** How many layers are removed. */
  readonly layers: number;
}

const PERCENT_ENCODING: Encoding = { mark: 0x25, escapeAt: percentEscape, layers: 3 };
/** Has two layers, because JSON is often nested in JSON as a string. */
const JSON_ESCAPES: Encoding = { mark: BACKSLASH, escapeAt: jsonEscape, layers: 2 };
const CHARACTER_REFERENCES: Encoding = { mark: 0x26, escapeAt: characterReference, layers: 2 };

/** All layers of all encodings, and a few more for escapes that a secret itself may seem to contain. */
const MAX_MIXED_LAYERS = 12;
const MIXED_ENCODINGS: ReadonlyMap<number, Encoding["escapeAt"]> = new Map([
  [PERCENT_ENCODING.mark, percentEscape],
  [JSON_ESCAPES.mark, wholeJsonEscape],
  [CHARACTER_REFERENCES.mark, endedReference],
]);

const IS_MARK = Uint8Array.from({ length: 256 }, (_, byte) => (MIXED_ENCODINGS.has(byte) ? 1 : 0));

/**
 * Removes one layer of escapes of all encodings; undefined if there are no escapes.
 *
 * @param met - collects the first characters of the encodings that occur.
 */
function decodeMixed(view: TextView, met: Set<number>, isTraced: boolean): TextView | undefined {
  const escapeAt: Encoding["escapeAt"] = (bytes, at) => {
    const mark = bytes[at] ?? 0;
    const found = MIXED_ENCODINGS.get(mark)?.(bytes, at);
    if (found !== undefined) met.add(mark);
    return found;
  };
  return decodeAt(view, { escapeAt, indexFrom: nextMark }, isTraced);
}

/** Returns the index of the next character that may start an escape; the length of the bytes if there is none. */
function nextMark(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if (IS_MARK[bytes[at] ?? 0] === 1) return at;
  return bytes.length;
}

/** Reads a JSON escape, unless it is one half of a surrogate pair, whose other half may appear only after decoding. */
function wholeJsonEscape(bytes: Uint8Array, at: number): Escape | undefined {
  const found = jsonEscape(bytes, at);
  const unit = found?.length === 6 ? codeUnitAt(bytes, at) : -1;
  return unit >= 0xd800 && unit < 0xe000 ? undefined : found;
}

/**
 * Reads a character reference. A reference without a semicolon is not accepted directly before another escape, because
 * it may continue when that escape is decoded.
 */
function endedReference(bytes: Uint8Array, at: number): Escape | undefined {
  const found = characterReference(bytes, at);
  if (found === undefined || bytes[at + found.length - 1] === SEMICOLON) return found;
  const next = bytes[at + found.length];
  return next === PERCENT_ENCODING.mark || next === JSON_ESCAPES.mark ? undefined : found;
}

function decode(view: TextView, { mark, escapeAt }: Encoding, isTraced: boolean): TextView | undefined {
  return decodeAt(view, { escapeAt, indexFrom: (bytes, from) => indexFrom(bytes, mark, from) }, isTraced);
}

function decodeAt(
  { bytes, origin }: TextView,
  { escapeAt, indexFrom }: Pick<Encoding, "escapeAt"> & { indexFrom(bytes: Uint8Array, from: number): number },
  isTraced: boolean,
): TextView | undefined {
  let next = indexFrom(bytes, 0);
  if (next === bytes.length) return undefined;
  const trace = isTraced ? createTrace(bytes.length, origin) : undefined;
  const decoded = new Uint8Array(bytes.length);
  let length = 0;
  let at = 0;
  const copyUntil = (end: number) => {
    if (trace !== undefined)
      for (let index = at; index < end; index++) trace.add(length + index - at, index, index + 1);
    if (end - at > NEAR_BYTES) decoded.set(bytes.subarray(at, end), length);
    else for (let index = at; index < end; index++) decoded[length + index - at] = bytes[index] ?? 0;
    length += end - at;
    at = end;
  };
  for (; next < bytes.length; next = indexFrom(bytes, at)) {
    copyUntil(next);
    const found = escapeAt(bytes, at);
    if (found === undefined) {
      copyUntil(at + 1);
      continue;
    }
    for (const meant of typeof found.meaning === "number" ? [found.meaning] : found.meaning) {
      trace?.add(length, at, at + found.length);
      decoded[length++] = meant;
    }
    at += found.length;
  }
  copyUntil(bytes.length);
  if (length === bytes.length) return undefined;
  const view = { bytes: decoded.subarray(0, length) };
  return trace === undefined ? view : { ...view, origin: trace.origin };
}

/** Returns the index of the next mark; the length of the bytes if there is none. */
function indexFrom(bytes: Uint8Array, mark: number, from: number): number {
  const near = Math.min(from + NEAR_BYTES, bytes.length);
  for (let at = from; at < near; at++) if (bytes[at] === mark) return at;
  const far = bytes.indexOf(mark, near);
  return far === -1 ? bytes.length : far;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function percentEscape(bytes: Uint8Array, at: number): Escape | undefined {
  const [high, low] = [hexDigit(bytes[at + 1]), hexDigit(bytes[at + 2])];
  return high < 0 || low < 0 ? undefined : { length: 3, meaning: high * 16 + low };
}

function codeUnitAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== UNICODE_ESCAPE) return -1;
  let unit = 0;
  for (let offset = 2; offset < 6; offset++) {
    const digit = hexDigit(bytes[at + offset]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function jsonEscape(bytes: Uint8Array, at: number): Escape | undefined {
  const meaning = SHORT_ESCAPES.get(bytes[at + 1] ?? 0);
  if (meaning !== undefined) return { length: 2, meaning };
  const unit = codeUnitAt(bytes, at);
  if (unit < 0) return undefined;
  if (unit < 0x80) return { length: 6, meaning: unit };
  const isHigh = unit >= 0xd800 && unit < 0xdc00;
  const low = isHigh ? codeUnitAt(bytes, at + 6) : -1;
  const isPair = low >= 0xdc00 && low < 0xe000;
  const text = isPair ? String.fromCharCode(unit, low) : String.fromCharCode(unit);
  return { length: isPair ? 12 : 6, meaning: Buffer.from(text, "utf8") };
}

/** Records the original positions of a view's bytes. */
export function createTrace(size: number, before: TextView["origin"]) {
  const origin = { starts: new Uint32Array(size), ends: new Uint32Array(size) };
  return {
    origin,
    /** Records that the byte at `index` was decoded from the bytes from `start` to `end`. */
    add(index: number, start: number, end: number): void {
      origin.starts[index] = before === undefined ? start : (before.starts[start] ?? 0);
      origin.ends[index] = before === undefined ? end : (before.ends[end - 1] ?? 0);
    },
  };
}
