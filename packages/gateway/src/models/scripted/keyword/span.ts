/** A piece of the question: where it stands, and what it says. */
export interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Bounds the work that a question full of one thing can cost. */
const MAX_SPANS = 24;

/** The first matches of a global expression, 24 at most; of its first group where it has one. */
export function findSpans(text: string, pattern: RegExp): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const found = match[1] ?? match[0];
    const start = match.index + match[0].indexOf(found);
    spans.push({ text: found, start, end: start + found.length });
    if (spans.length === MAX_SPANS) break;
  }
  return spans;
}

/** Whether two pieces share a character. */
export function overlaps(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}

/** Leaves out pieces that lie in one of the others. */
export function outside<T extends Span>(spans: readonly T[], taken: readonly Span[]): readonly T[] {
  return spans.filter((span) => !taken.some((other) => overlaps(span, other)));
}

/** The text with pieces blanked out, at unchanged places. */
export function blank(text: string, spans: readonly Span[]): string {
  let result = text;
  for (const { start, end } of spans) {
    result = `${result.slice(0, start)}${"\u0000".repeat(end - start)}${result.slice(end)}`;
  }
  return result;
}
