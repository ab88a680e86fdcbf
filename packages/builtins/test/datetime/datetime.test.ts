import { describe, expect, it } from "vitest";
import { datetimeTool } from "../../src/datetime/datetime-tool.ts";
import { builtinContext } from "../builtin-context.ts";
import { askDatetime as ask, type DatetimeArguments as Request } from "./ask-datetime.ts";

const context = builtinContext();

const PARIS = { timezone: "Europe/Paris" };

describe("datetime answers", () => {
  it("the current second in UTC", async () => {
    expect(await ask({ operation: "now" })).toEqual({
      iso: "2026-11-21T06:00:00+00:00",
      utc: "2026-11-21T06:00:00Z",
      unixSeconds: 1_795_240_800,
      timezone: "UTC",
      date: "2026-11-21",
      time: "06:00:00",
      weekday: "Saturday",
      week: "2026-W47",
      dayOfYear: 325,
      daysInMonth: 30,
      text: "Saturday, 21 November 2026, 06:00:00 (UTC+00:00)",
    });
  });

  it("a day as a day", async () => {
    expect(await ask({ operation: "parse", datetime: "2026-01-01" })).toEqual({
      iso: "2026-01-01",
      weekday: "Thursday",
      week: "2026-W01",
      dayOfYear: 1,
      daysInMonth: 31,
      text: "Thursday, 1 January 2026",
    });
  });

  it.each<[string, Request, string]>([
    [
      "now in a zone, whose name it corrects",
      { operation: "now", timezone: "europe/paris" },
      "2026-11-21T07:00:00+01:00",
    ],
    ["now at an offset from UTC", { operation: "now", timezone: "UTC+2" }, "2026-11-21T08:00:00+02:00"],
    ["now at half hours from GMT", { operation: "now", timezone: "gmt -3:30" }, "2026-11-21T02:30:00-03:30"],
    ["seconds as a number", { operation: "parse", datetime: 1_795_240_800 }, "2026-11-21T06:00:00+00:00"],
    ["milliseconds as a number", { operation: "parse", datetime: 1_795_240_800_250 }, "2026-11-21T06:00:00.25+00:00"],
    ["a weekday with a capital", { operation: "weekday", datetime: "2026-11-21", weekday: "Friday" }, "2026-11-27"],
    ["now at an offset", { operation: "now", timezone: "+05:30" }, "2026-11-21T11:30:00+05:30"],
    ["now when no datetime is given", { operation: "parse", timezone: "Asia/Tokyo" }, "2026-11-21T15:00:00+09:00"],
    [
      "today, which depends on the zone",
      { operation: "parse", datetime: "today", timezone: "Pacific/Honolulu" },
      "2026-11-20",
    ],
    [
      "a time with an offset, kept",
      { operation: "parse", datetime: "2026-11-21T09:30:00+01:00" },
      "2026-11-21T09:30:00+01:00",
    ],
    [
      "a time with an offset, in a zone",
      { operation: "parse", datetime: "2026-11-21T09:30:00+01:00", timezone: "America/New_York" },
      "2026-11-21T03:30:00-05:00",
    ],
    [
      "a wall-clock time in a zone",
      { operation: "parse", datetime: "2026-07-01 09:30", ...PARIS },
      "2026-07-01T09:30:00+02:00",
    ],
    [
      "a time in brackets",
      { operation: "parse", datetime: "2026-07-01T09:30[Asia/Tokyo]" },
      "2026-07-01T09:30:00+09:00",
    ],
    ["the basic form", { operation: "parse", datetime: "20261121T093000Z" }, "2026-11-21T09:30:00+00:00"],
    [
      "a conversion",
      { operation: "convert", datetime: "2026-11-21T15:00", timezone: "America/New_York", toTimezone: "Asia/Tokyo" },
      "2026-11-22T05:00:00+09:00",
    ],
    [
      "a conversion of a day's start",
      { operation: "convert", datetime: "2026-11-21", ...PARIS, toTimezone: "UTC" },
      "2026-11-20T23:00:00+00:00",
    ],
    ["a month after the 31st", { operation: "add", datetime: "2026-01-31", duration: "P1M" }, "2026-02-28"],
    ["a leap day's year", { operation: "add", datetime: "2024-02-29", duration: "P1Y" }, "2025-02-28"],
    [
      "a day across a clock change, at the same time",
      { operation: "add", datetime: "2026-03-28T12:00", duration: "P1D", ...PARIS },
      "2026-03-29T12:00:00+02:00",
    ],
    [
      "24 hours across a clock change, an hour later",
      { operation: "add", datetime: "2026-03-28T12:00", duration: "PT24H", ...PARIS },
      "2026-03-29T13:00:00+02:00",
    ],
    [
      "hours after a day's start",
      { operation: "add", datetime: "2026-11-21", duration: "PT36H", ...PARIS },
      "2026-11-22T12:00:00+01:00",
    ],
    ["weeks before today", { operation: "subtract", datetime: "today", duration: "P2W" }, "2026-11-07"],
    ["a negative duration", { operation: "add", datetime: "2026-11-21", duration: "-P1D" }, "2026-11-20"],
    ["the start of the week, a Monday", { operation: "start_of", datetime: "2026-11-22", unit: "week" }, "2026-11-16"],
    ["the start of a quarter", { operation: "start_of", datetime: "2026-11-21", unit: "quarter" }, "2026-10-01"],
    ["the end of a quarter", { operation: "end_of", datetime: "2026-11-21", unit: "quarter" }, "2026-12-31"],
    ["the end of February", { operation: "end_of", datetime: "2028-02-10", unit: "month" }, "2028-02-29"],
    [
      "the end of a year",
      { operation: "end_of", datetime: "2026-05-05T10:00", unit: "year", ...PARIS },
      "2026-12-31T23:59:59.999+01:00",
    ],
    ["the start of a day", { operation: "start_of", unit: "day", ...PARIS }, "2026-11-21T00:00:00+01:00"],
    [
      "the start of a day that has no midnight",
      { operation: "start_of", datetime: "2018-11-04T12:00", unit: "day", timezone: "America/Sao_Paulo" },
      "2018-11-04T01:00:00-02:00",
    ],
    [
      "the end of an hour in a half-hour zone",
      { operation: "end_of", datetime: "today", unit: "hour", timezone: "Asia/Kolkata" },
      "2026-11-21T00:59:59.999+05:30",
    ],
    [
      "the start of a minute",
      { operation: "start_of", datetime: "2026-11-21T10:20:30Z", unit: "minute" },
      "2026-11-21T10:20:00+00:00",
    ],
  ])("%s", async (_name, request, iso) => {
    expect(await ask(request)).toMatchObject({ iso });
  });

  it.each<[string, Request, string, string]>([
    [
      "a time that a clock change skips, after the gap",
      { operation: "parse", datetime: "2026-03-29T02:30", disambiguation: "later", ...PARIS },
      "2026-03-29T03:30:00+02:00",
      "does not exist in Europe/Paris",
    ],
    [
      "a time that a clock change skips, before the gap",
      { operation: "parse", datetime: "2026-03-29T02:30", disambiguation: "earlier", ...PARIS },
      "2026-03-29T01:30:00+01:00",
      "does not exist in Europe/Paris",
    ],
    [
      "a time that happens twice, the first",
      { operation: "parse", datetime: "2026-10-25T02:30", disambiguation: "earlier", ...PARIS },
      "2026-10-25T02:30:00+02:00",
      "happens twice in Europe/Paris",
    ],
    [
      "a time that happens twice, the second",
      { operation: "parse", datetime: "2026-10-25T02:30[Europe/Paris]", disambiguation: "later" },
      "2026-10-25T02:30:00+01:00",
      "happens twice in Europe/Paris",
    ],
    [
      "a day later that a clock change has no such time of",
      { operation: "add", datetime: "2026-03-28T02:30", duration: "P1D", ...PARIS },
      "2026-03-29T03:30:00+02:00",
      "2026-03-29T02:30:00 does not exist in Europe/Paris",
    ],
    [
      "a month later that has such a time twice, and hours after it",
      { operation: "add", datetime: "2026-09-25T02:30", duration: "P1MT2H", disambiguation: "later", ...PARIS },
      "2026-10-25T04:30:00+01:00",
      "2026-10-25T02:30:00 happens twice in Europe/Paris",
    ],
  ])("%s, with a note", async (_name, request, iso, note) => {
    expect(await ask(request)).toMatchObject({ iso, note: expect.stringContaining(note) });
  });

  it.each<[string, Request, Request]>([
    [
      "days and hours",
      { operation: "difference", datetime: "2026-11-21T06:00", end: "2026-11-24T18:30", units: ["hour", "day"] },
      { parts: { days: 3, hours: 12.5 } },
    ],
    [
      "years and days of an age",
      { operation: "difference", datetime: "1990-11-22", end: "2026-11-21", units: ["year", "day"] },
      { parts: { years: 35, days: 364 } },
    ],
    [
      "an earlier end, in weeks and days",
      { operation: "difference", datetime: "2026-11-21", end: "2026-11-01", units: ["week", "day"] },
      { parts: { weeks: -2, days: -6 } },
    ],
    [
      "hours of days with a clock change",
      { operation: "difference", datetime: "2026-10-24T12:00", end: "2026-10-26T12:00", units: ["hour"], ...PARIS },
      { parts: { hours: 49 } },
    ],
    [
      "days between days, whatever the clocks do",
      { operation: "difference", datetime: "2026-03-01", end: "2026-04-05", unit: "day" },
      { duration: "P1M4D", text: "1 month, 4 days", days: 35, total: { unit: "day", value: 35 } },
    ],
    [
      "a day of 23 hours",
      { operation: "difference", datetime: "2026-03-28T12:00", end: "2026-03-29T12:00", unit: "hour", ...PARIS },
      { duration: "P1D", text: "1 day", seconds: 82_800, total: { unit: "hour", value: 23 } },
    ],
    [
      "an age",
      { operation: "difference", datetime: "1990-11-22", end: "today", unit: "year" },
      { duration: "P35Y11M30D", total: { unit: "year", value: expect.closeTo(35.997, 3) } },
    ],
    [
      "an earlier end",
      { operation: "difference", datetime: "2026-12-25", end: "2026-11-21" },
      { duration: "-P1M4D", text: "1 month, 4 days earlier", days: -34 },
    ],
    ["nothing", { operation: "difference" }, { duration: "PT0S", text: "no difference", seconds: 0 }],
    [
      "two zones",
      { operation: "difference", datetime: "2026-11-21T12:00:00+01:00", end: "2026-11-21T12:00:00-05:00" },
      { duration: "PT6H", timezone: "+01:00", end: "2026-11-21T18:00:00+01:00" },
    ],
    [
      "from now to a day",
      { operation: "difference", end: "2027-02-21T06:00", unit: "quarter" },
      { duration: "P3M", total: { unit: "quarter", value: 1 } },
    ],
  ])("a difference of %s", async (_name, request, answer) => {
    expect(await ask(request)).toMatchObject(answer);
  });
});

/** Years and months as `until` of Temporal counts them: the same in the duration, the total and the parts. */
describe("a difference is counted by one rule", () => {
  it.each<[string, string, string, Request, Readonly<Record<string, number>>, number]>([
    [
      "2000-02-29",
      "2027-02-28",
      "P26Y11M30D",
      { units: ["year", "month", "day"] },
      { years: 26, months: 11, days: 30 },
      26,
    ],
    ["2000-02-29", "2027-02-28", "P26Y11M30D", { units: ["year", "day"] }, { years: 26, days: 365 }, 26],
    ["2000-02-29", "2027-03-01", "P27Y1D", { units: ["year", "day"] }, { years: 27, days: 1 }, 27],
    ["2004-02-29", "2025-02-28", "P20Y11M30D", { units: ["month", "day"] }, { months: 251, days: 30 }, 20],
    ["2026-01-31", "2026-02-28", "P28D", { units: ["month", "day"] }, { months: 0, days: 28 }, 0],
    ["2026-01-31", "2026-03-01", "P1M1D", { units: ["month", "day"] }, { months: 1, days: 1 }, 0],
    [
      "2025-08-31",
      "2025-11-30",
      "P2M30D",
      { units: ["quarter", "month", "day"] },
      { quarters: 0, months: 2, days: 30 },
      0,
    ],
    [
      "2024-11-30",
      "2026-11-21",
      "P1Y11M22D",
      { units: ["year", "quarter", "day"] },
      { years: 1, quarters: 3, days: 83 },
      1,
    ],
    ["2025-03-31", "2025-02-28", "-P1M", { units: ["month", "day"] }, { months: -1, days: 0 }, 0],
  ])("%s to %s: %s in %o", async (datetime, end, duration, { units }, parts, years) => {
    const answer = await ask({ operation: "difference", datetime, end, units, unit: "year" });
    expect(answer).toMatchObject({ duration, parts });
    expect(Math.trunc(Object(answer).total.value) + 0).toBe(years);
  });

  it.each<[string, string, string, number]>([
    ["2026-01-31", "2026-02-28", "month", 28 / 29],
    ["2004-02-29", "2025-02-28", "year", 20 + 365 / 366],
    ["2026-11-21", "2026-12-06", "month", 0.5],
    ["2026-12-06", "2026-11-21", "month", -15 / 30 + 0],
    ["2026-01-01", "2026-07-02", "quarter", 2 + 1 / 92],
  ])("%s to %s in %ss", async (datetime, end, unit, value) => {
    const answer = await ask({ operation: "difference", datetime, end, unit, units: [unit] });
    expect(answer).toMatchObject({ total: { value: expect.closeTo(value, 12) } });
    expect(Object(answer).parts[`${unit}s`]).toBe(Object(answer).total.value);
  });
});

describe("datetime asks which is meant by", () => {
  it.each<[string, Request, RegExp]>([
    [
      "a time that a clock change skips",
      { operation: "parse", datetime: "2026-03-29T02:30", ...PARIS },
      /^datetime: .* does not exist .*01:30:00\+01:00 \(earlier\) or .*03:30:00\+02:00 \(later\)/,
    ],
    [
      "a time that happens twice",
      { operation: "convert", datetime: "2026-10-25 02:30", ...PARIS, toTimezone: "UTC" },
      /^datetime: .* happens twice .*\+02:00 \(earlier\) or .*\+01:00 \(later\)/,
    ],
    [
      "a time in brackets that happens twice",
      { operation: "parse", datetime: "2026-11-01T01:30[America/New_York]" },
      /happens twice in America\/New_York/,
    ],
    [
      "a time that a sum arrives at, where that is to be rejected",
      { operation: "add", datetime: "2026-03-28T02:30", duration: "P1D", disambiguation: "reject", ...PARIS },
      /2026-03-29T02:30:00 does not exist/,
    ],
  ])("%s", async (_name, request, message) => {
    expect(await ask(request)).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/disambiguation to "earlier" or "later"/),
    });
  });

  it("nothing, where the offset says it", async () => {
    for (const offset of ["+01:00", "+02:00"]) {
      const answer = await ask({ operation: "parse", datetime: `2026-10-25T02:30${offset}[Europe/Paris]` });
      expect(answer).toMatchObject({ iso: `2026-10-25T02:30:00${offset}` });
    }
  });
});

describe("datetime refuses", () => {
  it.each<[string, Request, RegExp]>([
    [
      "a city as a zone, naming the zone",
      { operation: "now", timezone: "new york" },
      /^timezone: expected an IANA time zone .*did you mean America\/New_York/,
    ],
    ["an abbreviation", { operation: "now", timezone: "PST" }, /did you mean America\/Los_Angeles\?$/],
    ["one of several zones", { operation: "now", timezone: "ist" }, /Asia\/Kolkata or Europe\/Dublin or Asia/],
    ["a country of one zone", { operation: "now", timezone: "India" }, /did you mean Asia\/Kolkata\?$/],
    ["a country of two", { operation: "now", timezone: "germany" }, /did you mean Europe\/Berlin or Europe\/Busingen/],
    [
      "a country of many",
      { operation: "now", timezone: "Australia" },
      /Australia has several zones: use the zone of one of its cities/,
    ],
    ["a country by its letters", { operation: "now", timezone: "UK" }, /did you mean Europe\/London\?$/],
    ["a city by its newer name", { operation: "now", timezone: "Kolkata" }, /did you mean Asia\/Kolkata\?$/],
    [
      "a weekday in German",
      { operation: "weekday", weekday: "Freitag" },
      /^weekday: expected a weekday, one of monday/,
    ],
    ["a day of a weekend", { operation: "add_business_days", weekend: ["Frei"] }, /^weekend\[0\]: expected a weekday/],
    [
      "a holiday that does not exist",
      { operation: "add_business_days", holidays: ["2026-02-30"] },
      /^holidays\[0\]: there is no day 30/,
    ],
    ["a number that is no time", { operation: "parse", datetime: 5 }, /^datetime: expected now/],
    ["a target zone that there isn't", { operation: "convert", toTimezone: "Mars/Olympus" }, /^toTimezone: expected/],
    ["a locale that there isn't", { operation: "format", locale: "klingon" }, /^locale: expected a BCP 47 locale/],
    ["a weekday not said", { operation: "weekday" }, /^weekday needs weekday/],
    ["no day", { operation: "weekday", weekday: "friday", count: 0 }, /^count: expected a whole number/],
    [
      "a holiday in words",
      { operation: "add_business_days", holidays: ["2026-12-25", "Easter"] },
      /^holidays\[1\]: expected a day/,
    ],
    ["a timestamp as a zone", { operation: "now", timezone: "2026-01-01T00:00[Europe/Paris]" }, /^timezone: expected/],
    [
      "a day that does not exist",
      { operation: "parse", datetime: "2026-02-30" },
      /^datetime: there is no day 30: February/,
    ],
    ["words", { operation: "parse", datetime: "next friday" }, /^datetime: .*ISO 8601/],
    ["a time alone", { operation: "parse", datetime: "09:30" }, /^datetime: /],
    [
      "an offset that is not its zone's",
      { operation: "parse", datetime: "2026-11-21T09:30:00+05:00[Europe/Paris]" },
      /^datetime: /,
    ],
    ["an end that is no date", { operation: "difference", end: "soon" }, /^end: /],
    [
      "a duration in words",
      { operation: "add", duration: "3 days" },
      /^duration: expected an ISO 8601 duration such as P3D/,
    ],
    ["no duration", { operation: "add" }, /^add needs duration/],
    ["no target zone", { operation: "convert" }, /^convert needs toTimezone/],
    ["no unit", { operation: "start_of" }, /^start_of needs unit, one of year, quarter/],
    ["a year out of range", { operation: "add", duration: "P999999Y" }, /outside the supported years/],
  ])("%s", async (_name, request, message) => {
    expect(await ask(request)).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringMatching(message),
      retryable: true,
    });
  });

  it.each<[string, Request]>([
    ["an unknown operation", { operation: "sleep" }],
    ["an unknown unit", { operation: "start_of", unit: "decade" }],
    ["a number as a date", { operation: "parse", datetime: 5 }],
    ["a list that is none", { operation: "add_business_days", holidays: "2026-12-25" }],
    ["too long a list", { operation: "add_business_days", holidays: Array.from({ length: 501 }, () => "2026-12-25") }],
    ["half a count", { operation: "add_business_days", count: 1.5 }],
    ["another disambiguation", { operation: "parse", disambiguation: "guess" }],
    [
      "a week of seven days off",
      {
        operation: "add_business_days",
        weekend: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
      },
    ],
    [
      "a span of many thousand years",
      { operation: "count_business_days", datetime: "-100000-01-01", end: "2026-01-01" },
    ],
  ])("%s even when nobody checked the arguments", async (_name, request) => {
    expect(await datetimeTool.execute(request, context)).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
  });
});
