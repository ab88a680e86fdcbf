import { createTrace, type TextView } from "./text-views.ts";

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
export function toBase64View({ bytes, origin }: TextView, { isTraced }: { readonly isTraced: boolean }): TextView {
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
