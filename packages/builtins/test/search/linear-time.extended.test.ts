import { parseSite } from "@yagate/lib/hosts/site-filter";
import { tokenize } from "@yagate/lib/language/tokenize";
import { describe, expect, it } from "vitest";
import { shinglesOf } from "../../src/search/evidence/near-duplicates.ts";
import { passagesOf } from "../../src/search/evidence/passages.ts";
import { queryTermsOf, termsOf } from "../../src/search/evidence/terms.ts";
import { readFrontMatter } from "../../src/search/local/documents/front-matter.ts";
import { firstHeading, splitPassages } from "../../src/search/local/documents/passages.ts";
import { readHeading } from "../../src/search/markdown-heading.ts";
import { urlKey, withoutTracking } from "../../src/search/pages/url-key.ts";
import { readModelQueries, readQuery } from "../../src/search/plan-queries.ts";
import { plainText, publishedAt, toHits } from "../../src/search/providers/hit.ts";

const CHARACTERS = 200_000;
const NOW = Date.parse("2026-11-21T12:00:00Z");

const STEPS: Readonly<Record<string, (text: string) => unknown>> = {
  passagesOf,
  termsOf,
  queryTermsOf,
  shinglesOf: (text) => shinglesOf(text.split(" ")),
  readHeading,
  splitPassages,
  firstHeading,
  readFrontMatter: (text) => readFrontMatter(`---\n${text}`),
  tokenize,
  plainText,
  toHits: (text) => toHits([{ url: "https://a.example/", title: text, snippet: text, siteName: text }]),
  urlKey: (text) => urlKey(`https://a.example/${text}?${text}`),
  withoutTracking: (text) => withoutTracking(`https://a.example/?utm_x=1&${text}`),
  publishedAt: (text) => publishedAt(text, NOW),
  parseSite,
  readModelQueries,
  readQuery: (text) => readQuery(text, NOW),
};

const UNITS: readonly (readonly [name: string, head: string, unit: string])[] = [
  ["blanks", "# a", " "],
  ["headings", "# a", " #"],
  ["marks of headings", "", "#"],
  ["hyphens", "", "-"],
  ["tables", "|", "   |"],
  ["newlines", "", "\n"],
  ["blank lines", "", " \n"],
  ["combining marks out of order", "a", "\u0301\u0316"],
  ["letters that become marks", "a", "\u0301\uff9e"],
  ["ligatures of many letters", "", "\ufdfa "],
  ["brackets", "# ", "["],
  ["braces", "# ", "{#"],
  ["tags", "", "<b "],
  ["entities", "", "&#1"],
  ["quotes", "", '"a '],
  ["words that are rewritten", "", "last year "],
];

describe("a text of 200 000 characters", () => {
  it.each(UNITS)("of %s takes every step about as long as any other", (_name, head, unit) => {
    const half = `${unit.repeat(CHARACTERS / 2 / unit.length)}x`;
    const text = `${head}${half}${half}`;
    const slow = Object.entries(STEPS).filter(([, step]) => cpuMsOf(() => step(text)) > BOUND_MS);
    expect(slow.map(([name]) => name)).toEqual([]);
  });
});

/**
 * A multiple of what one pass over as many single words takes: a ligature stands for 18 letters. Steps that take the
 * square of a text take hundreds of times as long.
 */
const BOUND_MS =
  40 *
  Math.max(
    20,
    cpuMsOf(() => [..."a ".repeat(CHARACTERS / 2).matchAll(/\p{L}+/gu)].length),
  );

function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
