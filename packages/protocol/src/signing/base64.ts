const CANONICAL_SHAPE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Encodes bytes in standard base64 with padding (RFC 4648 §4). Use it only for short values, because it passes one
 * argument per byte.
 */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Decodes standard base64 in its canonical form: padded, without white space or stray bits at the end.
 *
 * @returns the bytes; `undefined` if the text has any other form.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  // atob alone would ignore white space and accept missing padding.
  if (!CANONICAL_SHAPE.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return encodeBase64(bytes) === text ? bytes : undefined;
}
