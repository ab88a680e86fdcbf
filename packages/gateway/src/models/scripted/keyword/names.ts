import { findSpans, outside, type Span } from "./span.ts";
import { isKnownPlace } from "./time-zones.ts";

/** A capitalised name of a place, person or thing. */
export interface NameMention extends Span {
  /** The word in front of it, in lower case; of a list, the word in front of the first. */
  readonly before: string;
  readonly isPlace: boolean;
}

const NOT_NAMES = new Set(
  (
    "a an and are can could do does how i if in is it my on or please show tell that the to we what when where which " +
    "who why will would you find get give book send check cancel refund track order calculate convert create schedule " +
    "summarize translate monday tuesday wednesday thursday friday saturday sunday january february march april may june " +
    "july august september october november december today tomorrow"
  ).split(" "),
);

/** Runs of one to three capitalised words, without the words that only start a sentence. */
export function findNames(text: string, taken: readonly Span[]): readonly NameMention[] {
  const found: NameMention[] = [];
  for (const span of outside(findSpans(text, /\p{Lu}[\p{L}'’]+(?: \p{Lu}[\p{L}'’]+){0,2}/gu), taken)) {
    const name = withoutCommonStart(span);
    if (name === undefined) continue;
    const lead = text.slice(Math.max(0, name.start - 40), name.start);
    const previous = found.at(-1);
    const continues = previous !== undefined && /^(?:,|,? and|,? or) $/.test(text.slice(previous.end, name.start));
    const before = continues ? previous.before : (/(\p{L}+)[ :]*$/u.exec(lead)?.[1]?.toLowerCase() ?? "");
    found.push({ ...name, before, isPlace: isKnownPlace(name.text) });
  }
  return found;
}

function withoutCommonStart(span: Span): Span | undefined {
  const [first = "", ...rest] = span.text.split(" ");
  if (!NOT_NAMES.has(first.toLowerCase())) return span;
  if (rest.length === 0) return undefined;
  return withoutCommonStart({ text: rest.join(" "), start: span.start + first.length + 1, end: span.end });
}
