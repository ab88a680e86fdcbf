import { findSpans, overlaps, type Span } from "./span.ts";

/** A place of the question that has a time zone. */
export interface ZoneMention extends Span {
  /** IANA name. */
  readonly zone: string;
}

// Places that are asked for and that name no IANA zone.
const OTHER_PLACES: Readonly<Record<string, string>> = {
  bangalore: "Asia/Kolkata",
  barcelona: "Europe/Madrid",
  beijing: "Asia/Shanghai",
  boston: "America/New_York",
  cologne: "Europe/Berlin",
  delhi: "Asia/Kolkata",
  frankfurt: "Europe/Berlin",
  geneva: "Europe/Zurich",
  germany: "Europe/Berlin",
  hamburg: "Europe/Berlin",
  india: "Asia/Kolkata",
  japan: "Asia/Tokyo",
  kyiv: "Europe/Kyiv",
  milan: "Europe/Rome",
  mumbai: "Asia/Kolkata",
  munich: "Europe/Berlin",
  "san francisco": "America/Los_Angeles",
  seattle: "America/Los_Angeles",
  washington: "America/New_York",
};

const MAX_PLACES = 24;
const ORDINARY_WORDS = new Set(["canary", "center", "christmas", "easter", "midway", "phoenix", "resolute", "troll"]);

let places: ReadonlyMap<string, string> | undefined;

function knownPlaces(): ReadonlyMap<string, string> {
  places ??= new Map([
    ...Intl.supportedValuesOf("timeZone").flatMap((zone) => {
      const city = zone.includes("/") ? zone.split("/").at(-1) : undefined;
      return city === undefined ? [] : [[city.replaceAll("_", " ").toLowerCase(), zone] as const];
    }),
    ...Object.entries(OTHER_PLACES),
  ]);
  return places;
}

/** Whether a text is the name of a city or country that this model knows. */
export function isKnownPlace(text: string): boolean {
  return knownPlaces().has(text.toLowerCase());
}

/** IANA names, UTC, and known places, which need no capital letter unless they are ordinary words too. */
export function findZones(text: string): readonly ZoneMention[] {
  const named = findSpans(text, /\b[A-Z][A-Za-z]+(?:\/[A-Za-z_]+){1,2}/g).flatMap((span) => {
    const zone = canonicalZone(span.text);
    return zone === undefined ? [] : [{ ...span, zone }];
  });
  const universal = findSpans(text, /\b(?:UTC|GMT)\b/g).map((span) => ({ ...span, zone: "UTC" }));
  const explicit = [...named, ...universal];
  const cities = findPlaces(text).filter((city) => !explicit.some((other) => overlaps(city, other)));
  return [...explicit, ...cities].sort((left, right) => left.start - right.start);
}

function findPlaces(text: string): readonly ZoneMention[] {
  const words = [...text.matchAll(/\p{L}+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const found: ZoneMention[] = [];
  for (const [index, first] of words.entries()) {
    if (first.start < (found.at(-1)?.end ?? 0) || found.length === MAX_PLACES) continue;
    for (const last of words.slice(index, index + 3).reverse()) {
      const place = text.slice(first.start, last.end);
      const zone = knownPlaces().get(place.toLowerCase());
      if (zone === undefined || ORDINARY_WORDS.has(place)) continue;
      found.push({ text: place, start: first.start, end: last.end, zone });
      break;
    }
  }
  return found;
}

function canonicalZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
