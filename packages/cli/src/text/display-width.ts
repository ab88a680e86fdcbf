/** The unit that a terminal shows as one character. */
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Characters of East Asian scripts and emoji take two columns. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303E\u30FB\u30FC\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}]|\uFE0F/u;
/** Half-width characters of those scripts. */
const HALFWIDTH = /^[\uFF61-\uFFDC]/;
const NARROW = /^[\x20-\x7e]*$/;

/** Returns the number of terminal columns that a text from `toVisibleLine` takes. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return Array.from(GRAPHEMES.segment(text)).reduce((sum, { segment }) => sum + widthOf(segment), 0);
}

/** Cuts a text to a number of columns and ends it with `…`. */
export function cutToWidth(text: string, maxColumns: number): string {
  if (displayWidth(text) <= maxColumns) return text;
  let width = 0;
  let kept = "";
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += widthOf(segment);
    if (width > maxColumns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function widthOf(grapheme: string): number {
  return WIDE.test(grapheme) && !HALFWIDTH.test(grapheme) ? 2 : 1;
}
