/** How the frames of one kind are written. */
export interface FrameMarks {
  readonly begin: string;
  readonly end: string;
  /** Takes from a text what a reader could take for one of the marks, whatever its nonce. */
  readonly withoutMarks: (text: string) => string;
}

/**
 * Puts what strangers wrote between two marks that only this call has. The text can't end its frame: it was written by
 * others, who don't know the nonce, and marks of its own are taken out.
 *
 * @param nonce - drawn for this call alone, 128 bits of chance in hex; it stands in both marks.
 */
export function frameText(text: string, nonce: string, { begin, end, withoutMarks }: FrameMarks): string {
  return `${begin}\n${withoutMarks(text).replaceAll(nonce, "")}\n${end}`;
}
