const decoder = new TextDecoder("utf-8", { fatal: true });

/** The text of bytes in UTF-8, without a byte order mark; undefined when they are something else. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
