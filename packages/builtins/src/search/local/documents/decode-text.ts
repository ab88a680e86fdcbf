const SNIFFED_BYTES = 8_192;

/**
 * Decodes a file by its byte order mark. Without one, the file is read as UTF-8, or as Windows-1252 if it is not valid
 * UTF-8. Returns `undefined` for a binary file, which has a NUL in its first 8 KiB.
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
