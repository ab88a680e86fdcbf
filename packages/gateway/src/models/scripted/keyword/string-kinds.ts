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
const DURATION = stems("duration period");
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
    find: momentCandidates,
  },
  {
    applies: (property) => formatOf(property) === "duration" || has(property, DURATION),
    find: (_property, { text }) => durationCandidates(text),
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
    find: zoneCandidates,
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

function momentCandidates(property: Property, { timestamps, days, times }: Question): readonly Candidate[] {
  const exact = timestamps.map((span): Candidate => ({ value: toSeconds(span.text), score: 4, span }));
  const day = days[0];
  if (exact.length > 0 || day === undefined) return exact;
  const moments = times.map((span): Candidate => ({ value: `${day.day}T${span.time}:00Z`, score: 3, span }));
  if (moments.length > 0 || formatOf(property) !== "") return moments;
  return days.map((span) => ({ value: span.day, score: 3, span }));
}

const DURATION_UNITS = new Map(
  Object.entries({ year: "Y", month: "M", week: "W", day: "D", hour: "H", minute: "M", second: "S" }),
);

/** "3 days" is `P3D`, "2 hours" is `PT2H`. */
function durationCandidates(text: string): readonly Candidate[] {
  return findSpans(text, /\b\d{1,6} (?:year|month|week|day|hour|minute|second)s?\b/gi).map((span) => {
    const [count = "", unit = ""] = span.text.toLowerCase().replace(/s$/, "").split(" ");
    const isTime = /^(?:hour|minute|second)$/.test(unit);
    return { value: `P${isTime ? "T" : ""}${count}${DURATION_UNITS.get(unit) ?? ""}`, score: 5, span };
  });
}

/** A zone to convert to is one that "to" stands before; any other may be one of several that are asked for. */
function zoneCandidates({ words }: Property, { zones, text }: Question): readonly Candidate[] {
  const isTarget = words.includes("to") || words.includes("target");
  return zones.flatMap((span): Candidate[] => {
    const followsTo = /\b(?:in)?to $/i.test(text.slice(Math.max(0, span.start - 5), span.start));
    if (isTarget && !followsTo) return [];
    return [{ value: span.zone, score: isTarget || !followsTo ? 4 : 3, span, isRepeatable: !isTarget }];
  });
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
