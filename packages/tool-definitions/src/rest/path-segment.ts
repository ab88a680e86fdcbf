/** Servers decode a path once, and some of them what is behind a proxy once more. */
const MAX_DECODINGS = 3;

/**
 * Whether a piece of a path, encoded, stays where it is: a URL parser takes `.`, `..` and their encoded forms for "here"
 * and "one up" and removes them, and so does a server that decodes what was encoded once more.
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
 * Text as a part of one segment: whatever divides a URL is encoded, dots are not.
 *
 * @returns undefined for text that is no Unicode, which can't be encoded.
 */
export function encodeForUrl(text: string): string | undefined {
  return text.isWellFormed() ? encodeURIComponent(text) : undefined;
}
