import { describe, expect, it } from "vitest";
import { askDatetime, type DatetimeArguments } from "./ask-datetime.ts";

describe("a date that could be two is not guessed", () => {
  it.each<[string, RegExp, RegExp]>([
    ["03/04/2026", /can be day 3 of month 4, or day 4 of month 3/, /dateOrder to "DMY" or "MDY"/],
    ["3-4-2026 10:00", /can be day 3 of month 4/, /year-month-day/],
    ["21 Nov 26", /the year needs four digits/, /2026/],
    ["Friday, 21 November 2026", /2026-11-21 is a saturday/, /correct the weekday/],
    [
      "21 Nov 2026 10:00 IST",
      /IST is not an abbreviation for exactly one time zone/,
      /\+01:00, or the zone's IANA name/,
    ],
    ["21 Nov 2026 13:00 pm", /13 pm is not a time/, /correct/],
    ["21 Nov 2026 9", /9 is not a time: write 9:00, or add am or pm/, /correct/],
    ["31/02/2026", /there is no day 31: February 2026 has 28 days$/, /correct/],
    ["31 November 2026", /there is no day 31: November 2026 has 30 days$/, /correct/],
    ["2026-02-30", /there is no day 30: February 2026 has 28 days$/, /correct/],
    ["2026-02-30T10:00Z", /February 2026 has 28 days$/, /correct/],
    ["13/13/2026", /there is no month 13/, /correct/],
    ["2026-13-01", /there is no month 13/, /correct/],
    ["2026-366", /there is no day 366: 2026 has 365 days$/, /correct/],
    ["2025-W53-1", /there is no week 53, day 1: 2025 has 52 weeks$/, /correct/],
    ["2026-W47", /a week, not a day/, /2026-W47-1 is its Monday/],
    ["2026", /2026 is a year or a time/, /such as 2026-01-01/],
    ["2026-11", /2026-11 is a month/, /such as 2026-11-01/],
    ["tomorrow at 5pm", /tomorrow with a time is not supported/, /^write 2026-11-22T17:00$/],
    ["today, 09:30", /today with a time/, /^write 2026-11-21T09:30$/],
    ["3pm", /a time alone has no day/, /2026-11-21T15:00$/],
    ["12:30 am", /a time alone has no day/, /2026-11-21T00:30$/],
    ["21.11.26", /a two-digit year is not supported/, /full year/],
    ["2026-11-21T25:00", /there is no hour 25/, /correct/],
    ["2026-11-21T24:00", /write 00:00 on the next day/, /correct/],
    ["21 November", /existing date/, /RFC 2822/],
    ["21 Nov 2026 25:00", /there is no hour 25/, /correct/],
    ["next friday", /existing date/, /operation weekday/],
    ["in 3 days", /existing date/, /operation add with the duration P3D/],
    ["2026-11-21T09:60", /there is no minute 60/, /correct/],
    ["12345678901234", /existing date/, /seconds since 1970/],
  ])("%s", async (datetime, message, hint) => {
    expect(await askDatetime({ operation: "parse", datetime })).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it.each<[DatetimeArguments, string]>([
    [{ datetime: "03/04/2026", dateOrder: "DMY" }, "2026-04-03"],
    [{ datetime: "03/04/2026", dateOrder: "MDY" }, "2026-03-04"],
    [{ datetime: "04/04/2026" }, "2026-04-04"],
    [{ datetime: "25/12/2026" }, "2026-12-25"],
    [{ datetime: "12/25/2026" }, "2026-12-25"],
    [{ datetime: "03.04.2026" }, "2026-04-03"],
    [{ datetime: "Saturday, the 21st" }, ""],
    [{ datetime: "Sat, 21st of November 2026" }, "2026-11-21"],
    [{ datetime: "sept. 1, 2026" }, "2026-09-01"],
    [{ datetime: "tomorrow" }, "2026-11-22"],
    [{ datetime: "20261121" }, "2026-11-21"],
    // Week and ordinal dates as ISO 8601 writes the same days.
    [{ datetime: "2026-W47-6" }, "2026-11-21"],
    [{ datetime: "2004-W53-6" }, "2005-01-01"],
    [{ datetime: "2009W011" }, "2008-12-29"],
    [{ datetime: "2026-325" }, "2026-11-21"],
    [{ datetime: "2024366" }, "2024-12-31"],
    [{ datetime: "2025-W53-1" }, ""],
    [{ datetime: "2025-366" }, ""],
    [{ datetime: "2026-W47" }, ""],
  ])("%o is %s", async (request, iso) => {
    const answer = await askDatetime({ operation: "parse", ...request });
    expect(answer).toMatchObject(iso === "" ? { code: "INVALID_ARGUMENTS" } : { iso });
  });

  it("a written time without an offset is one of the zone, with its clock changes", async () => {
    const request = { operation: "parse", timezone: "Europe/Paris" };
    expect(await askDatetime({ ...request, datetime: "21 July 2026 9:30 pm" })).toMatchObject({
      iso: "2026-07-21T21:30:00+02:00",
    });
    expect(await askDatetime({ ...request, datetime: "25 October 2026 2:30" })).toMatchObject({
      message: expect.stringContaining("happens twice"),
    });
  });

  it("any text of a hundred characters is read or refused at once", async () => {
    const texts = ["1 ", "sun ", "12:", "nov ", "2026-", "+01", "[Europe/Paris]", "a.m.", ", ", "٣"];
    const before = process.cpuUsage();
    for (const first of texts) {
      for (const second of texts) {
        const datetime = (first + second).repeat(50).slice(0, 100);
        expect(await askDatetime({ operation: "parse", datetime })).toMatchObject({ code: "INVALID_ARGUMENTS" });
      }
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / texts.length ** 2).toBeLessThan(20);
  });
});
