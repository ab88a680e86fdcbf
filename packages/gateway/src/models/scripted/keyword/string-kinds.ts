import type { Candidate } from "./candidate.ts";
import type { Property } from "./property.ts";
import type { Question } from "./question.ts";
import { findSpans } from "./span.ts";
import { stem } from "./words.ts";

/** A kind of string: which properties are of it, and where in a question its values are found. */
export interface StringKind {
  readonly applies: (property: Property) => boolean;
  readonly find: (property: Property, question: Question) => readonly Candidate[];
  /** Nothing else in the question can be a value of it. */
  readonly isExclusive?: boolean;
}

const stems = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));
const has = (property: Property, words: ReadonlySet<string>) => property.words.some((word) => words.has(word));

const EMAIL = stems("email mail recipient attendee to cc bcc");
const URL = stems("url uri link website");
const DAY = stems("date day");
const MOMENT = stems("start end when at time begin datetime timestamp until since");
const ZONE = stems("timezone zone tz");
const EXPRESSION = stems("expression formula equation calculation");
const PLACE = stems("city town destination location place origin from to country region address venue where");
const PERSON = stems("name customer person user attendee guest contact employee author owner recipient");
const JSON_TEXT = stems("json document data payload");
const CHANNEL = stems("channel room tag hashtag label");
const CURRENCY = stems("currency from to base target");

/** The kinds that are known by a property's name, format or description. */
export const STRING_KINDS: readonly StringKind[] = [
  {
    applies: (property) => formatOf(property) === "email" || has(property, EMAIL),
    find: (_property, { emails }) => emails.map((span) => ({ value: span.text, score: 3, span })),
  },
  {
    applies: (property) => /^(?:uri|url)$/.test(formatOf(property)) || has(property, URL),
    find: (_property, { urls }) => urls.map((span) => ({ value: span.text, score: 3, span })),
  },
  {
    applies: (property) => formatOf(property) === "date" || (formatOf(property) === "" && has(property, DAY)),
    find: (_property, { days }) => days.map((span) => ({ value: span.day, score: 3, span })),
  },
  {
    applies: (property) => formatOf(property) === "date-time" || (formatOf(property) === "" && has(property, MOMENT)),
    find: (_property, question) => momentCandidates(question),
  },
  {
    applies: (property) => formatOf(property) === "time",
    find: (_property, { times }) => times.map((span) => ({ value: `${span.time}:00Z`, score: 3, span })),
  },
  {
    isExclusive: true,
    applies: (property) =>
      has(property, ZONE) ||
      (property.words.includes("tim") && property.words.includes("zon")) ||
      /\bIANA\b/.test(property.description),
    find: (_property, { zones }) => zones.map((span) => ({ value: span.zone, score: 4, span, isRepeatable: true })),
  },
  {
    isExclusive: true,
    applies: (property) =>
      has(property, EXPRESSION) || /\b(?:arithmetic|mathematical) expression\b/i.test(property.description),
    find: (_property, { expressions }) =>
      expressions.map(({ text, isCertain }) => ({
        value: text,
        score: 4,
        isRepeatable: true,
        ...(isCertain ? { isTelling: true } : {}),
      })),
  },
  {
    applies: (property) =>
      has(property, CURRENCY) && /currenc|ISO 4217/i.test(`${property.name} ${property.description}`),
    find: (_property, { text }) => currencyCandidates(text),
  },
  {
    applies: (property) => has(property, CHANNEL),
    find: (_property, { text }) =>
      findSpans(text, /(?<![\w&])#(\p{L}[\w-]*)/gu).map((span) => ({ value: span.text, score: 3, span })),
  },
  { applies: (property) => has(property, PLACE), find: placeCandidates },
  { applies: (property) => has(property, PERSON), find: personCandidates },
  {
    isExclusive: true,
    applies: (property) => has(property, JSON_TEXT),
    find: (_property, { text }) => jsonCandidates(text),
  },
];

/** The `format` of a property; empty where it has none. */
export function formatOf({ schema }: Property): string {
  return typeof schema["format"] === "string" ? schema["format"] : "";
}

function momentCandidates({ timestamps, days, times }: Question): readonly Candidate[] {
  const exact = timestamps.map((span): Candidate => ({ value: toSeconds(span.text), score: 4, span }));
  const day = days[0];
  if (exact.length > 0 || day === undefined) return exact;
  return times.map((span) => ({ value: `${day.day}T${span.time}:00Z`, score: 3, span }));
}

function toSeconds(timestamp: string): string {
  return timestamp.replace(/(T\d\d:\d\d)(?!:)/, "$1:00");
}

function placeCandidates(property: Property, { names, zones }: Question): readonly Candidate[] {
  const wanted = property.words.some((word) => word === "from" || word === "origin") ? "from" : "to";
  const found = names
    .filter((name) => name.isPlace || /^(?:in|to|from|at|near|for)$/.test(name.before))
    .map((name): Candidate => {
      const isOpposite = (name.before === "from") !== (wanted === "from") && /^(?:from|to)$/.test(name.before);
      return {
        value: name.text,
        score: (name.isPlace ? 3 : 2) - (isOpposite ? 1 : 0),
        span: name,
        isRepeatable: true,
      };
    });
  // Places in lower case are known all the same.
  const others = zones
    .filter((zone) => !zone.text.includes("/") && !/^(?:UTC|GMT)$/.test(zone.text))
    .filter(
      (zone) => !found.some(({ span }) => span !== undefined && span.start <= zone.start && zone.end <= span.end),
    );
  return [...found, ...others.map((span): Candidate => ({ value: span.text, score: 2, span, isRepeatable: true }))];
}

function personCandidates(_property: Property, { names }: Question): readonly Candidate[] {
  return names
    .filter(
      (name) =>
        !name.isPlace && /^(?:to|for|with|by|from|named|called|customer|client|user|contact)$/.test(name.before),
    )
    .map((span) => ({ value: span.text, score: 2, span }));
}

const CURRENCIES = new Set(
  "USD EUR GBP JPY CHF CNY INR AUD CAD SEK NOK DKK PLN CZK BRL MXN SGD HKD NZD KRW ZAR".split(" "),
);

function currencyCandidates(text: string): readonly Candidate[] {
  return findSpans(text, /\b[A-Z]{3}\b/g)
    .filter((span) => CURRENCIES.has(span.text))
    .map((span) => ({ value: span.text, score: 4, span }));
}

function jsonCandidates(text: string): readonly Candidate[] {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start === -1 || end <= start) return [];
  return [
    { value: text.slice(start, end), score: 3, isTelling: true, span: { text: text.slice(start, end), start, end } },
  ];
}
