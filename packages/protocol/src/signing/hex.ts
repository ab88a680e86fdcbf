const BYTE_TO_HEX: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/** Encodes bytes as lower-case hex, two digits per byte. */
export function encodeHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += BYTE_TO_HEX[byte];
  return text;
}

function digitValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  return -1;
}

/**
 * Decodes `byteLength` bytes of lower-case hex, starting at `offset` in the text.
 *
 * @returns the bytes; `undefined` if the text is too short or contains characters other than `0-9a-f`.
 */
export function decodeHexAt(text: string, offset: number, byteLength: number): Uint8Array | undefined {
  const bytes = new Uint8Array(byteLength);
  for (let index = 0; index < byteLength; index += 1) {
    // Past the end, charCodeAt returns NaN, which is not a digit either.
    const high = digitValue(text.charCodeAt(offset + 2 * index));
    const low = digitValue(text.charCodeAt(offset + 2 * index + 1));
    if (high < 0 || low < 0) return undefined;
    bytes[index] = high * 16 + low;
  }
  return bytes;
}
