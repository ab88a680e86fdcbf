import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { publishedAt } from "../../../src/search/providers/hit.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

// GNU date reads the same text.
it.each(["2026-03-04", "Mar 4, 2026", "4 Mar 2026", "December 31, 1999", "29 Feb 2024"])("the day of %s", (text) => {
  const day = execFileSync("date", ["-u", "-d", text, "+%Y-%m-%d"], { encoding: "utf8" }).trim();
  expect(publishedAt(text, NOW)).toBe(day);
});

it.each(["2026-03-04T06:06:07+01:00", "2026-03-04T05:06:07Z", "Wed, 04 Mar 2026 05:06:07 GMT", "2026-03-04 05:06:07"])(
  "the moment of %s",
  (text) => {
    const moment = execFileSync("date", ["-u", "-d", text, "+%Y-%m-%dT%H:%M:%S.000Z"], { encoding: "utf8" }).trim();
    expect(publishedAt(text, NOW)).toBe(moment);
  },
);

it.each<[string, string]>([
  ["3 days ago", "2026-11-18"],
  ["1 hour ago", "2026-11-21"],
  ["2 weeks ago", "2026-11-07"],
  ["1 year ago", "2025-11-21"],
])("%s is %s", (text, day) => {
  expect(publishedAt(text, NOW)).toBe(day);
});

it.each(["", "yesterday", "Feb 30, 2026", "2026-13-01", "04/03/2026", "Xyz 4, 2026", undefined, null])(
  "%s is none",
  (text) => {
    expect(publishedAt(text, NOW)).toBeUndefined();
  },
);
