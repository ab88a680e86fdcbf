import { describe, expect, it } from "vitest";
import { datetimeTool } from "../../src/datetime/datetime-tool.ts";
import { askDatetime, type DatetimeArguments } from "./ask-datetime.ts";

const AT = "2026-11-21T15:30:00+01:00";

describe("a moment is written", () => {
  it.each<[string, DatetimeArguments, string]>([
    [
      "as an HTTP date, RFC 9110",
      { style: "http", datetime: "1994-11-06T09:49:37+01:00" },
      "Sun, 06 Nov 1994 08:49:37 GMT",
    ],
    ["as ISO 8601", { style: "iso", datetime: AT }, "2026-11-21T15:30:00+01:00"],
    ["as a day", { style: "iso", datetime: "2026-11-21" }, "2026-11-21"],
    ["with the zone's name", { pattern: "HH:mm VV", datetime: AT, timezone: "Asia/Tokyo" }, "23:30 Asia/Tokyo"],
    ["with quotes", { pattern: "h 'o''clock' a ''", datetime: AT }, "3 o'clock PM '"],
    ["with Z", { pattern: "HH:mm:ss.SSSXXX", datetime: "2026-11-21T15:30Z" }, "15:30:00.000Z"],
    [
      "with names of a locale",
      { pattern: "EEEE, d. MMMM yyyy", datetime: AT, locale: "de" },
      "Samstag, 21. November 2026",
    ],
    ["with the quarter", { pattern: "'Q'Q yyyy", datetime: "2026-05-01" }, "Q2 2026"],
    ["with the month as after a day", { pattern: "d MMMM", datetime: AT, locale: "pl" }, "21 listopada"],
  ])("%s", async (_name, request, text) => {
    expect(await askDatetime({ operation: "format", ...request })).toMatchObject({ text });
  });

  it.each(["en-US", "en-GB", "de", "fr", "ja", "ar", "pt-BR", "hi"])("as Intl does in %s", async (locale) => {
    for (const style of ["full", "long", "medium", "short"] as const) {
      const intl = new Intl.DateTimeFormat(locale, { dateStyle: style, timeStyle: style, timeZone: "Europe/Berlin" });
      const request = { operation: "format", datetime: AT, timezone: "Europe/Berlin", locale, style };
      expect(await askDatetime(request)).toMatchObject({
        text: intl.format(new Date(AT)).replace(/[\u202f\u00a0]/g, " "),
        locale,
      });
    }
  });

  it.each<[string, string, string]>([
    ["YYYY-MM-DD", "pattern: YYYY is the year of the ISO week", "write yyyy-MM-dd"],
    ["YYYY-MM-dd", "pattern: YYYY is the year of the ISO week", "write yyyy-MM-dd"],
    ["yyyy-MM-DD", "pattern: DD is not a pattern field; the fields are yyyy", "write yyyy-MM-dd"],
    ["dddd, MMMM D 'at' h:mm A", "pattern: dddd is not a pattern field", "write EEEE, MMMM d 'at' h:mm a"],
    ["yyyy QQQQQ", "pattern: QQQQQ is not a pattern field", "for example yyyy-MM-dd HH:mm"],
    ["%Y-%m-%d", "pattern: Y is not a pattern field", "for example yyyy-MM-dd HH:mm"],
    ["d 'of MMMM", "pattern: a quote is not closed", "correct the named field"],
  ])("never by %s", async (pattern, message, hint) => {
    expect(await askDatetime({ operation: "format", pattern })).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });
});

it.each([
  ...[
    ["yyyy", "2026"],
    ["yy", "26"],
    ["Q", "1"],
    ["MMMM", "March"],
    ["MMM", "Mar"],
    ["MM", "03"],
    ["M", "3"],
  ],
  ...[
    ["dd", "05"],
    ["d", "5"],
    ["DDD", "064"],
    ["EEEE", "Thursday"],
    ["EEE", "Thu"],
    ["HH", "00"],
    ["H", "0"],
  ],
  ...[
    ["hh", "12"],
    ["h", "12"],
    ["a", "AM"],
    ["mm", "07"],
    ["ss", "09"],
    ["SSS", "042"],
    ["xxx", "+01:00"],
  ],
  ...[
    ["xx", "+0100"],
    ["XXX", "+01:00"],
    ["VV", "Europe/Paris"],
    ["YYYY-'W'ww-e", "2026-W10-4"],
  ],
])("the field %s of a pattern is written as %s", async (pattern, text) => {
  const request = { datetime: "2026-03-05T00:07:09.042", timezone: "Europe/Paris", pattern };
  expect(await askDatetime({ operation: "format", ...request })).toMatchObject({ text });
});

it("a pattern takes precedence over a style", async () => {
  const request = { operation: "format", datetime: "2026-03-05", pattern: "dd.MM.", style: "iso" };
  expect(await askDatetime(request)).toMatchObject({ text: "05.03." });
});

it("without a style, a date is written in the long one", async () => {
  expect(await askDatetime({ operation: "format", datetime: "2026-03-05" })).toMatchObject({ text: "March 5, 2026" });
});

describe("relative to now, in the words of CLDR:", () => {
  it.each<[string, DatetimeArguments, string, number, string]>([
    ["in English", { datetime: "2026-11-24T06:00" }, "in 3 days", 3, "day"],
    ["in the past", { datetime: "2026-11-21T04:00:00Z" }, "2 hours ago", -2, "hour"],
    ["in German", { datetime: "2026-11-24", locale: "de" }, "in 3 Tagen", 3, "day"],
    ["in French", { datetime: "2026-11-21T04:00:00Z", locale: "fr" }, "il y a 2 heures", -2, "hour"],
    ["in Japanese", { datetime: "2026-11-24", locale: "ja" }, "3 日後", 3, "day"],
    ["in Spanish, by name", { datetime: "2026-11-22", locale: "es" }, "mañana", 1, "day"],
    ["a day by name", { datetime: "yesterday" }, "yesterday", -1, "day"],
    ["today", { datetime: "today" }, "today", 0, "day"],
    ["now", {}, "now", 0, "second"],
    ["minutes", { datetime: "2026-11-21T06:44:40Z" }, "in 45 minutes", 45, "minute"],
    ["months", { datetime: "2027-02-21" }, "in 3 months", 3, "month"],
    ["a year", { datetime: "2027-11-21" }, "next year", 1, "year"],
    ["years", { datetime: "2000-11-21" }, "26 years ago", -26, "year"],
    ["in another unit", { datetime: "2026-12-12", unit: "week" }, "in 3 weeks", 3, "week"],
    ["quarters", { datetime: "2027-08-21", unit: "quarter" }, "in 3 quarters", 3, "quarter"],
    ["from another moment", { datetime: "2026-12-25", reference: "2026-12-20" }, "in 5 days", 5, "day"],
  ])("%s", async (_name, request, text, value, unit) => {
    expect(await askDatetime({ operation: "relative", ...request })).toMatchObject({ text, value, unit });
  });
});

describe("relative words are true by the calendar:", () => {
  const PARIS = { timezone: "Europe/Paris" };
  it.each<[string, string, string, DatetimeArguments]>([
    ["2026-11-23T09:00", "2026-11-21T22:00", "in 2 days", {}],
    ["2026-11-22T23:00", "2026-11-21T01:00", "tomorrow", {}],
    ["2026-11-20T01:00", "2026-11-21T23:00", "yesterday", {}],
    ["2026-11-22T01:00", "2026-11-21T23:00", "tomorrow", { unit: "day" }],
    ["2026-11-21T23:30Z", "2026-11-21T06:00Z", "tomorrow", { unit: "day", ...PARIS }],
    ["2026-11-23", "2026-11-21", "übermorgen", { locale: "de" }],
    ["2027-01-02", "2026-11-21", "in 1 month", {}],
    ["2026-03-01", "2026-01-31", "in 1 month", {}],
    ["2026-12-21", "2026-11-21", "next month", {}],
    ["2026-10-21", "2026-11-21", "last month", {}],
    ["2028-05-21", "2026-11-21", "in 1 year", {}],
    ["2027-12-01", "2026-11-21", "next year", {}],
    ["2025-05-21", "2026-11-21", "2 years ago", {}],
    ["2026-11-28", "2026-11-21", "next week", { unit: "week" }],
    ["2026-11-25", "2026-11-20", "next week", { unit: "week" }],
    ["2026-11-26", "2026-11-22", "next week", { unit: "week" }],
    ["2026-11-20", "2026-11-16", "in 1 week", { unit: "week" }],
    ["2026-12-01", "2026-11-20", "in 0 months", { unit: "month" }],
    ["2026-11-21T09:30", "2026-11-21T06:00", "in 4 hours", {}],
    ["2026-11-21T02:30", "2026-11-21T06:00", "4 hours ago", {}],
    ["2026-11-21T06:20", "2026-11-21T06:05", "this hour", { unit: "hour" }],
    ["2026-11-21T06:10", "2026-11-21T05:55", "in 0 hours", { unit: "hour" }],
  ])("%s seen from %s is %s", async (datetime, reference, text, more) => {
    expect(await askDatetime({ operation: "relative", datetime, reference, ...more })).toMatchObject({ text });
  });
});

describe("an agent's own configuration", () => {
  it("sets zone, language and weekend", async () => {
    const config = { timezone: "asia/dubai", locale: "de", weekend: ["friday", "saturday"] };
    const configured = datetimeTool.configure?.(config);
    if (configured === undefined || "problems" in configured) throw new Error("expected a tool");
    const ask = (request: DatetimeArguments) => askDatetime(request, configured.tool);
    expect(await ask({ operation: "now" })).toMatchObject({ iso: "2026-11-21T10:00:00+04:00", timezone: "Asia/Dubai" });
    expect(await ask({ operation: "parse", datetime: "2026-11-21T09:30" })).toMatchObject({ timezone: "Asia/Dubai" });
    expect(await ask({ operation: "parse", datetime: "2026-11-21T09:30", timezone: "UTC" })).toMatchObject({
      timezone: "UTC",
    });
    expect(await ask({ operation: "format", datetime: "2026-11-21" })).toMatchObject({ text: "21. November 2026" });
    expect(await ask({ operation: "add_business_days", datetime: "2026-11-19" })).toMatchObject({ iso: "2026-11-22" });
  });

  it.each<[string, Record<string, string | string[]>, string]>([
    ["a zone that there isn't", { timezone: "Mars/Olympus" }, "timezone"],
    ["a locale that there isn't", { locale: "!!" }, "locale"],
    ["a weekend of all days", { weekend: [...Array.from({ length: 7 }, () => "monday")] }, "weekend"],
    ["a field that there isn't", { zone: "UTC" }, "zone"],
  ])("is refused for %s", (_name, config, path) => {
    expect(datetimeTool.configure?.(config)).toMatchObject({ problems: [expect.objectContaining({ path })] });
  });
});
