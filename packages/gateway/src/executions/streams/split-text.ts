import { beginningOf } from "@yagate/lib/text/cut-text";
/** Cuts a text into parts of at most so many UTF-16 code units (2 or more), none of them in the middle of a character. */
export function* splitText(text: string, maxLength: number): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const part = beginningOf(text.slice(start, start + maxLength + 1), maxLength);
    yield part;
    start += part.length;
  }
}
