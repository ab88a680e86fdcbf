import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { askDatetime, type DatetimeArguments } from "./ask-datetime.ts";

const isGnu = spawnSync("date", ["--version"], { encoding: "utf8" }).stdout?.includes("GNU coreutils") === true;

/** What `date` of GNU coreutils makes of a text, with the machine's own time zones. */
function date(timezone: string, text: string, format: string): string {
  const env = { ...process.env, TZ: timezone, LC_ALL: "C" };
  return spawnSync("date", ["-d", text, format], { env, encoding: "utf8" }).stdout.trim();
}

const ISO = "+%Y-%m-%dT%H:%M:%S%:z";

describe.skipIf(!isGnu)("the same as date of GNU coreutils:", () => {
  it.each<[string, string]>([
    ["America/New_York", "2026-07-04T12:00:00Z"],
    ["America/New_York", "2026-12-04T12:00:00Z"],
    ["Europe/Paris", "2026-03-29T00:59:59Z"],
    ["Europe/Paris", "2026-03-29T01:00:00Z"],
    ["Europe/Paris", "2026-10-25T01:00:00Z"],
    ["Asia/Kolkata", "2000-02-29T23:59:59Z"],
    ["Asia/Kathmandu", "2020-01-01T00:00:00Z"],
    ["Australia/Lord_Howe", "2024-01-15T00:00:00Z"],
    ["Australia/Lord_Howe", "2024-07-15T00:00:00Z"],
    ["Pacific/Apia", "2011-12-31T12:00:00Z"],
    ["America/St_Johns", "2015-06-01T00:00:00Z"],
    ["Africa/Lagos", "1999-12-31T23:00:00Z"],
    ["America/Sao_Paulo", "2018-12-01T00:00:00Z"],
    ["Asia/Tokyo", "1970-01-01T00:00:00Z"],
    ["Pacific/Chatham", "2025-01-01T00:00:00Z"],
  ])("in %s it is, at %s", async (timezone, instant) => {
    const answer = await askDatetime({ operation: "convert", datetime: instant, toTimezone: timezone });
    expect(answer).toMatchObject({
      iso: date(timezone, instant, ISO),
      weekday: date(timezone, instant, "+%A"),
      week: date(timezone, instant, "+%G-W%V"),
      dayOfYear: Number(date(timezone, instant, "+%j")),
      unixSeconds: Number(date(timezone, instant, "+%s")),
    });
  });

  it.each<[string, string]>([
    ["2004-12-31", "2004-W53"],
    ["2005-01-01", "2004-W53"],
    ["2005-01-03", "2005-W01"],
    ["2008-12-29", "2009-W01"],
    ["2010-01-03", "2009-W53"],
    ["2020-12-31", "2020-W53"],
    ["2024-02-29", "2024-W09"],
    ["2026-12-31", "2026-W53"],
  ])("the ISO week of %s is %s", async (day, week) => {
    expect(date("UTC", day, "+%G-W%V")).toBe(week);
    expect(await askDatetime({ operation: "parse", datetime: day })).toMatchObject({
      week,
      weekday: date("UTC", day, "+%A"),
      dayOfYear: Number(date("UTC", day, "+%j")),
    });
  });

  it.each<[string, string?]>([
    ["Sat, 21 Nov 2026 09:30:00 +0100"],
    ["21 Nov 2026 09:30:00 -0500"],
    ["Sun, 06 Nov 1994 08:49:37 GMT"],
    ["Sunday, 06-Nov-94 08:49:37 GMT"],
    ["Sun Nov  6 08:49:37 1994"],
    ["Tue, 1 Jul 2003 10:52:37 EDT"],
    ["@1795240800"],
    ["1795240800", "@1795240800"],
    ["1795240800250", "@1795240800.25"],
    ["-1000000000", "@-1000000000"],
    ["21 November 2026 9:30 pm"],
    ["November 21, 2026 9:30 AM", "21 November 2026 9:30"],
    ["Nov 21st, 2026 at 12:15 a.m.", "2026-11-21 00:15"],
    ["2026/11/21 09:30"],
    ["2026-11-21 9:30 pm"],
    ["2026-11-21 09:30 UTC"],
    ["2026-11-21 09:30:00 +0100"],
    ["2026-11-21 09:30:00.5"],
    ["21.11.2026 09:30", "2026-11-21 09:30"],
    ["25/12/2026 18:00 UTC+2", "2026-12-25 16:00 UTC"],
    ["12/25/2026 12pm", "2026-12-25 12:00"],
    ["20261121T093000Z", "2026-11-21 09:30:00Z"],
    ["2026-11-21T09:30:00.5+05:30"],
  ])("%s is the same second", async (text, theirs = text) => {
    const answer = await askDatetime({ operation: "parse", datetime: text });
    expect(answer).toMatchObject({ unixSeconds: expect.any(Number) });
    const { unixSeconds } = Object(answer);
    expect(Math.floor(unixSeconds)).toBe(Number(date("UTC", theirs, "+%s")));
  });

  it.each<[string, DatetimeArguments, string]>([
    ["rfc2822", { style: "rfc2822" }, "+%a, %d %b %Y %H:%M:%S %z"],
    ["iso", { style: "iso" }, ISO],
    ["unix", { style: "unix" }, "+%s"],
    ["fields", { pattern: "EEEE, d MMMM yyyy 'at' hh:mm a" }, "+%A, %-d %B %Y at %I:%M %p"],
    ["short fields", { pattern: "EEE dd-MMM-yy HH:mm:ss xx" }, "+%a %d-%b-%y %H:%M:%S %z"],
    ["numbers", { pattern: "yyyyMMdd'T'HHmmssxxx DDD Q" }, "+%Y%m%dT%H%M%S%:z %j %q"],
    ["the ISO week", { pattern: "YYYY-'W'ww-e" }, "+%G-W%V-%u"],
    ["small fields", { pattern: "M/d/yyyy H h" }, "+%-m/%-d/%Y %-H %-I"],
  ])("written as %s", async (_name, how, format) => {
    for (const datetime of ["2026-11-21T00:05:09Z", "2027-01-03T13:45:00Z"]) {
      const answer = await askDatetime({ operation: "format", datetime, timezone: "America/Denver", ...how });
      expect(answer).toMatchObject({ text: date("America/Denver", datetime, format) });
    }
  });

  it.each<[string, number]>([
    ["Friday", 1],
    ["Saturday", 1],
    ["Sunday", 1],
    ["Monday", 2],
    ["Monday", -1],
    ["Saturday", -1],
    ["Wednesday", -2],
    ["Thursday", 520],
  ])("%s, count %s, is such a day in the week of that count", async (weekday, count) => {
    const answer = await askDatetime({
      operation: "weekday",
      datetime: "2026-11-21",
      weekday: weekday.toLowerCase(),
      count,
    });
    const { iso } = Object(answer);
    expect(date("UTC", String(iso), "+%A")).toBe(weekday);
    const days = (Number(date("UTC", String(iso), "+%s")) - Number(date("UTC", "2026-11-21", "+%s"))) / 86_400;
    expect(Math.sign(days) * Math.ceil(Math.abs(days) / 7)).toBe(count);
  });

  it.each<[string, string, string]>([
    ["2026-11-21", "P100D", "+100 days"],
    ["2024-02-28", "P2D", "+2 days"],
    ["2026-11-21", "-P52W", "-52 weeks"],
    ["2026-05-15", "P9M", "+9 months"],
    ["2026-05-15", "P1Y2M3D", "+1 year +2 months +3 days"],
  ])("%s and %s is a day", async (datetime, duration, words) => {
    const answer = await askDatetime({ operation: "add", datetime, duration });
    expect(answer).toMatchObject({ iso: date("UTC", `${datetime} ${words}`, "+%F") });
  });
});
