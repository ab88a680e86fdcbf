import { tokenize } from "@yagate/lib/language/tokenize";
import { wholeAt } from "@yagate/lib/text/cut-text";
import type { PassageMatch } from "./match-passage.ts";
import type { QueryTerm } from "./query-terms.ts";

const MAX_CHARACTERS = 400;
const LEAD_CHARACTERS = 60;

/** Returns the part of a passage that contains most of a query, as one line of complete words. */
export function snippetOf(text: string, match: PassageMatch, terms: readonly QueryTerm[]): string {
  if (text.length <= MAX_CHARACTERS) return oneLine(text);
  const tokens = tokenize(text);
  const places = match.places.flatMap(({ term, position }) => {
    const token = tokens[position];
    return token === undefined ? [] : [{ number: term, start: token.start, end: token.end }];
  });
  let best = { start: 0, weight: -1 };
  for (const [index, place] of places.entries()) {
    const end = place.start - LEAD_CHARACTERS + MAX_CHARACTERS;
    const inside = new Set<number>();
    for (const other of places.slice(index)) {
      if (other.end > end) break;
      inside.add(other.number);
    }
    const weight = [...inside].reduce((sum, number) => sum + (terms[number]?.weight ?? 0), 0);
    if (weight > best.weight) best = { start: place.start, weight };
  }
  const wanted = Math.max(0, Math.min(best.start - LEAD_CHARACTERS, text.length - MAX_CHARACTERS));
  const start = wanted === 0 ? 0 : boundaryAfter(text, wanted, Math.max(wanted, best.start));
  const end = start + MAX_CHARACTERS >= text.length ? text.length : boundaryBefore(text, start + MAX_CHARACTERS);
  return `${start > 0 ? "… " : ""}${oneLine(text.slice(start, end))}${end < text.length ? " …" : ""}`;
}

function boundaryAfter(text: string, from: number, latest: number): number {
  const space = text.slice(from, latest).search(/\s/);
  return space === -1 ? wholeAt(text, from) : from + space + 1;
}

function boundaryBefore(text: string, to: number): number {
  const space = /\s\S{0,40}$/.exec(text.slice(to - 50, to))?.index;
  return space === undefined ? wholeAt(text, to) : to - 50 + space;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
