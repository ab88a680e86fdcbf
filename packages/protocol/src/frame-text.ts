/** The marks of one kind of frame. */
export interface FrameMarks {
  readonly begin: string;
  readonly end: string;
  /** Removes everything from a text that a reader could mistake for one of the marks, whatever nonce it contains. */
  readonly withoutMarks: (text: string) => string;
}

/**
 * Encloses untrusted text between two marks that are unique to this call. The text cannot close its frame: its author
 * does not know the nonce, and imitations of the marks are removed.
 *
 * @param nonce - 128 random bits in hex, generated for this call; both marks contain it.
 */
export function frameText(text: string, nonce: string, { begin, end, withoutMarks }: FrameMarks): string {
  return `${begin}\n${withoutMarks(text).replaceAll(nonce, "")}\n${end}`;
}
