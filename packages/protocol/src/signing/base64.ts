const CANONICAL_SHAPE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Encodes bytes as standard base64 with padding (RFC 4648 §4). Use it only for short values: it passes one argument per
 * byte.
 */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Decodes standard base64 in its canonical form: padded, without white space or stray bits at the end.
 *
 * @returns the bytes, or `undefined` for any other text.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  // atob alone ignores white space and accepts missing padding.
  if (!CANONICAL_SHAPE.test(text)) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return encodeBase64(bytes) === text ? bytes : undefined;
}
