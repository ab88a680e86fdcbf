/** Cuts a text into parts of at most so many UTF-16 code units (2 or more), none of them in the middle of a character. */
export function* splitText(text: string, maxLength: number): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const end = start + maxLength;
    const isPair = end < text.length && isHighSurrogate(text.charCodeAt(end - 1));
    const part = text.slice(start, isPair ? end - 1 : end);
    yield part;
    start += part.length;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}
