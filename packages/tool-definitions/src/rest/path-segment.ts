/** Maximum number of times to decode a path. Servers decode it once, and again behind some proxies. */
const MAX_DECODINGS = 3;

/**
 * Checks whether an encoded path segment remains in the path. A URL parser removes `.`, `..` and their encoded forms,
 * and so does a server that decodes a path more than once.
 */
export function isStableSegment(segment: string): boolean {
  let text = segment;
  for (let decoding = 0; decoding <= MAX_DECODINGS; decoding++) {
    if (text === "." || text === "..") return false;
    text = text.replace(/%(2e|25)/gi, (_match, code: string) => (code === "25" ? "%" : "."));
  }
  return true;
}

/**
 * Encodes text as a part of one URL component. Dots are not encoded.
 *
 * @returns undefined for text that is not well-formed Unicode.
 */
export function encodeForUrl(text: string): string | undefined {
  return text.isWellFormed() ? encodeURIComponent(text) : undefined;
}
