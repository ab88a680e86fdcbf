import { createTrace, type TextView } from "./text-views.ts";

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
export function toHexView({ bytes, origin }: TextView, { isTraced }: { readonly isTraced: boolean }): TextView {
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
