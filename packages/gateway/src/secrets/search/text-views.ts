import { characterReference } from "./character-reference.ts";
import type { Escape } from "./escape.ts";

/** A text, or what it becomes when something in it is decoded. */
export interface TextView {
  readonly bytes: Uint8Array;
  /** Where each byte begins and ends in the text that it was decoded from; itself where undefined. */
  readonly origin?: { readonly starts: Uint32Array; readonly ends: Uint32Array };
}

/** An escape is looked for byte by byte so far behind the last one, and beyond that by the machine's own search. */
const NEAR_BYTES = 64;

const BACKSLASH = 0x5c;
const UNICODE_ESCAPE = 0x75;
/** What stands behind a backslash, and what both mean together. */
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
 * The text itself, and what it becomes by taking off up to three layers of percent-encoding and then up to two of the
 * escapes of JSON strings, or one of those first; and all of that again without up to two layers of the character
 * references of HTML, or the escapes of JSON and then those. At most six views are in memory at the same time.
 *
 * @param isTraced - whether each view tells where its bytes were in the text.
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

/** The view, and all that it becomes without its percent-encoding and its JSON escapes. */
function* unescapedViews(view: TextView, isTraced: boolean): Generator<TextView, void, undefined> {
  yield view;
  yield* peeled(view, JSON_ESCAPES, isTraced);
  for (const decoded of peeled(view, PERCENT_ENCODING, isTraced)) {
    yield decoded;
    yield* peeled(decoded, JSON_ESCAPES, isTraced);
  }
}

/** The view with one layer less, then with two, as many as are looked under and are there. */
function* peeled(view: TextView, encoding: Encoding, isTraced: boolean): Generator<TextView, void, undefined> {
  let rest: TextView | undefined = view;
  for (let layer = 0; layer < encoding.layers; layer++) {
    rest = decode(rest, encoding, isTraced);
    if (rest === undefined) return;
    yield rest;
  }
}

/** An escape that has begun and not ended, of any encoding. */
const OPEN_ESCAPE = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?|&(?:#(?:[0-9]{0,7}|x[0-9a-f]{0,6})|[a-z]{0,8})?)$/i;
/** No open escape is longer. */
const MAX_OPEN_BYTES = 16;
/** In an open escape there may be the one before it was encoded once more. */
const MAX_OPEN_ESCAPES = 4;

/** The view itself, and what it is before an escape that a cut goes through; before that one's escape, and so on. */
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

/** A way to write a character as an escape that begins with a mark. */
interface Encoding {
  readonly mark: number;
  readonly escapeAt: (bytes: Uint8Array, at: number) => Escape | undefined;
  /** How many layers of it are taken off. */
  readonly layers: number;
}

const PERCENT_ENCODING: Encoding = { mark: 0x25, escapeAt: percentEscape, layers: 3 };
/** JSON is often a string in JSON. */
const JSON_ESCAPES: Encoding = { mark: BACKSLASH, escapeAt: jsonEscape, layers: 2 };
const CHARACTER_REFERENCES: Encoding = { mark: 0x26, escapeAt: characterReference, layers: 2 };

function decode({ bytes, origin }: TextView, { mark, escapeAt }: Encoding, isTraced: boolean): TextView | undefined {
  let next = bytes.indexOf(mark);
  if (next === -1) return undefined;
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
  for (; next < bytes.length; next = indexFrom(bytes, mark, at)) {
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

/** @returns the length of the bytes where there is none. */
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

/** Writes down where the bytes of a view come from. */
export function createTrace(size: number, before: TextView["origin"]) {
  const origin = { starts: new Uint32Array(size), ends: new Uint32Array(size) };
  return {
    origin,
    /** Says that the byte at `index` was decoded from those from `start` to `end`. */
    add(index: number, start: number, end: number): void {
      origin.starts[index] = before === undefined ? start : (before.starts[start] ?? 0);
      origin.ends[index] = before === undefined ? end : (before.ends[end - 1] ?? 0);
    },
  };
}
