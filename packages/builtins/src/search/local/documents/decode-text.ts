const SNIFFED_BYTES = 8_192;

/**
 * The text of a file, by its byte order mark; without one UTF-8, or Windows-1252 where it is not that. `undefined` for
 * what is no text: it has a NUL among its first 8 KiB.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
