/** Consecutive lines of a text that form a paragraph. */
interface Paragraph {
  readonly start: number;
  readonly end: number;
}

const MAX_HEADING = 90;
/** Number of characters at the start of a line that determine its kind. */
const HEAD = 400;
const FENCE = /^\s{0,3}(?:```|~~~)/;
const UNDERLINE = /^(?:=+|-{3,}|~{3,})\s*$/;
/**
 * Matches lines that are not prose: horizontal rules, tables, tags, comments, link definitions, images and directives.
 */
const NO_PROSE =
  /^\s*(?:[-=~^*_+.#"|: ]{3,}$|\|.*\|\s*$|<[^<>]{1,300}>\s*$|<!--|\[[^\]]{1,80}\]:\s|!\[[^\]]{0,200}\]\(|\.\.\s|$)/;
const MARKER = /^\s*(?:#{1,6}\s+|[-*+•]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+|>\s?)/;
const ENDS_SENTENCE = /[.!?…。！？؟।:;：；]["'”’»)\]）」』*_]*\s*$/u;

/**
 * Returns the paragraphs and list items of plain or Markdown text. Code, tables and markup are omitted. Headings are
 * omitted as well, unless the text contains nothing else.
 */
export function readParagraphs(text: string): readonly Paragraph[] {
  const headings: Paragraph[] = [];
  const prose: Paragraph[] = [];
  let lines: Paragraph[] = [];
  let isCode = false;

  function flush(isHeading: boolean): void {
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return;
    const whole = { start: first.start, end: last.end };
    const hasStop = lines.some(({ start, end }) => ENDS_SENTENCE.test(text.slice(Math.max(start, end - 20), end)));
    // Notes and logs have no full stops, so each line is a sentence.
    if (!hasStop && lines.length > 2) for (const line of lines) prose.push(line);
    else if (isHeading || (!hasStop && whole.end - whole.start <= MAX_HEADING)) headings.push(whole);
    else prose.push(whole);
    lines = [];
  }

  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    const head = text.slice(from, Math.min(end, from + HEAD));
    const marker = MARKER.exec(head)?.[0] ?? "";
    const isFence = FENCE.test(head);
    const isLeftOut = isCode || isFence || NO_PROSE.test(head);
    if (isLeftOut || /[^\s>]/.test(marker)) flush(lines.length === 1 && UNDERLINE.test(head));
    if (!isLeftOut) lines.push({ start: from + marker.length, end });
    if (marker.includes("#")) flush(true);
    isCode = isCode !== isFence;
    from = end + 1;
  }
  flush(false);
  return prose.length > 0 ? prose : headings;
}
