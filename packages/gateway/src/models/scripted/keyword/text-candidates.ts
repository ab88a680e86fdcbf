import type { Candidate } from "./candidate.ts";
import { namesIdentifier } from "./identifier-candidates.ts";
import type { Property } from "./property.ts";
import type { Question } from "./question.ts";
import type { Span } from "./span.ts";
import { isStopWord, stem } from "./words.ts";

const stems = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));
const QUERY = stems("query q question search topic term keyword prompt");
const PROSE = stems("message text content body note comment reason input");
const HEADING = stems("subject title topic headline");

const has = (property: Property, words: ReadonlySet<string>) => property.words.some((word) => words.has(word));

/** `subject: Hello` and `name is Anna`: the property is named in front of its value. */
export function labelledCandidates(property: Property, question: Question): readonly Candidate[] {
  return endsOfName(property, question).flatMap((end): readonly Candidate[] => {
    const rest = question.text.slice(end, end + 1_000);
    const label = /^(?:\s*[:=]\s*|\s+(?:is|named|called)\s+)/.exec(rest)?.[0];
    if (label === undefined) return namesIdentifier(property) ? [] : nextWord(question, end);
    const start = end + label.length;
    const quote = question.quotes.find((span) => span.start === start + 1);
    const span = quote ?? clauseAt(question.text, start);
    // "the order is late" names no order.
    const score = /[:=]/.test(label) || quote !== undefined ? 4 : 2;
    return span.text === "" ? [] : [{ value: span.text, score, span }];
  });
}

// "channel ops": a name and its value with nothing between them.
function nextWord({ text }: Question, end: number): readonly Candidate[] {
  const match = /^ (#?)([\p{L}\d][\p{L}\d_-]*)/u.exec(text.slice(end, end + 100));
  const value = match?.[2];
  if (match === null || value === undefined || isStopWord(value)) return [];
  const start = end + 1 + (match[1]?.length ?? 0);
  return [{ value, score: 2, span: { text: value, start, end: start + value.length } }];
}

/** Quoted text, best where the property is named right before it. */
export function quoteCandidates(property: Property, question: Question): readonly Candidate[] {
  const ends = endsOfName(property, question);
  return question.quotes.map((span) => {
    const isNamed = ends.some((end) => end <= span.start && /^\W*$/.test(question.text.slice(end, span.start)));
    return { value: span.text, score: isNamed ? 4 : 2, span };
  });
}

/** Text that is meant by what leads up to it: `search for …`, `saying …`, `about …`. */
export function freeTextCandidates(property: Property, { text }: Question): readonly Candidate[] {
  if (!property.isRequired || namesIdentifier(property)) return [];
  if (has(property, QUERY)) {
    const asked = after(text, /\b(?:search|look|google)\b(?: the web| online| up)?(?: for)? |\babout /i);
    return [...asked, { value: text.trim(), score: 1 }].filter(({ value }) => value !== "");
  }
  if (has(property, HEADING)) return after(text, /\babout |\b(?:called|titled|named) /i);
  if (has(property, PROSE)) {
    const said = after(text, /\b(?:saying|says)(?: that)? |\btell(?:ing)? \p{L}+ that |:\s+/iu, "to the end");
    return said;
  }
  return after(text, /\b(?:for|of|about|called|named) (?:the |a |an )?/i).map((candidate) => ({
    ...candidate,
    score: 1,
  }));
}

function after(text: string, lead: RegExp, extent: "clause" | "to the end" = "clause"): readonly Candidate[] {
  const match = lead.exec(text);
  if (match === null) return [];
  const start = match.index + match[0].length;
  const span =
    extent === "clause" ? clauseAt(text, start) : { text: text.slice(start).trim(), start, end: text.length };
  return span.text === "" ? [] : [{ value: span.text, score: 2, span }];
}

/** From here to the next punctuation or conjunction. */
function clauseAt(text: string, start: number): Span {
  const clause = /^[^,.;:!?\n]{1,200}/.exec(text.slice(start, start + 200))?.[0] ?? "";
  const value = (clause.split(/ (?:and|or|but|to|in|at|with|from|is|are|please|saying|says|that) /)[0] ?? "").trim();
  return { text: value, start, end: start + value.length };
}

/** Where the words of the property's name end in the question. */
function endsOfName({ words }: Property, question: Question): readonly number[] {
  if (words.length === 0) return [];
  return question.words.flatMap((_word, index) => {
    const run = question.words.slice(index, index + words.length);
    const last = run.at(-1);
    const isName = run.length === words.length && run.every((word, offset) => word.stem === words[offset]);
    return isName && last !== undefined ? [last.end] : [];
  });
}
