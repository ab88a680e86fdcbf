/** What a URL parser takes for "here" or "one up", and removes; `%2e` is a dot to it. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/** Whether a piece of a path, encoded, stays where it is when a URL parser reads the path. */
export function isLastingSegment(segment: string): boolean {
  return !DOTS.test(segment);
}

/**
 * Text as a part of one segment: whatever divides a URL is encoded, dots are not.
 *
 * @returns undefined for text that is no Unicode, which can't be encoded.
 */
export function encodeForUrl(text: string): string | undefined {
  return text.isWellFormed() ? encodeURIComponent(text) : undefined;
}
