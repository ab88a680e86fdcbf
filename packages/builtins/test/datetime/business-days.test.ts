import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { addBusinessDays, countBusinessDays } from "../../src/datetime/business-days.ts";
import { WEEKDAYS } from "../../src/datetime/names.ts";

import { askDatetime, type DatetimeArguments } from "./ask-datetime.ts";

describe("examples of Microsoft's documentation of spreadsheet functions:", () => {
  const holidays = ["2012-11-22", "2012-12-04", "2013-01-21"];
  it.each<[string, DatetimeArguments, number]>([
    ["NETWORKDAYS", { datetime: "2012-10-01", end: "2013-03-01" }, 110],
    ["NETWORKDAYS with a holiday", { datetime: "2012-10-01", end: "2013-03-01", holidays: holidays.slice(0, 1) }, 109],
    ["NETWORKDAYS with three", { datetime: "2012-10-01", end: "2013-03-01", holidays }, 107],
    ["NETWORKDAYS.INTL", { datetime: "2006-01-01", end: "2006-01-31" }, 22],
    [
      "NETWORKDAYS.INTL with another weekend",
      {
        datetime: "2006-01-01",
        end: "2006-02-01",
        weekend: ["friday", "saturday"],
        holidays: ["2006-01-02", "2006-01-16"],
      },
      22,
    ],
  ])("%s", async (_name, request, count) => {
    const answer = await askDatetime({ operation: "count_business_days", ...request });
    expect(answer).toMatchObject({ businessDaysInclusive: count });
  });

  it.each<[string, DatetimeArguments, string]>([
    ["WORKDAY", { datetime: "2008-10-01", count: 151 }, "2009-04-30"],
    [
      "WORKDAY with holidays",
      { datetime: "2008-10-01", count: 151, holidays: ["2008-11-26", "2008-12-04", "2009-01-21"] },
      "2009-05-05",
    ],
  ])("%s", async (_name, request, iso) => {
    expect(await askDatetime({ operation: "add_business_days", ...request })).toMatchObject({ iso });
  });
});

describe("business days", () => {
  it.each<[string, DatetimeArguments, string]>([
    ["the next one after a Saturday", {}, "2026-11-23T06:00:00+00:00"],
    ["the last one before a Saturday", { datetime: "2026-11-21", count: -1 }, "2026-11-20"],
    ["the next one after a Friday", { datetime: "2026-11-20", count: 1 }, "2026-11-23"],
    ["past a holiday", { datetime: "2026-12-24", count: 1, holidays: ["2026-12-25"] }, "2026-12-28"],
    [
      "in a week of Friday and Saturday",
      { datetime: "2026-11-19", count: 1, weekend: ["friday", "saturday"] },
      "2026-11-22",
    ],
    ["in a week without an end", { datetime: "2026-11-20", count: 2, weekend: [] }, "2026-11-22"],
    [
      "at the same time of day, across a clock change",
      { datetime: "2026-10-23T09:00", timezone: "Europe/Paris", count: 1 },
      "2026-10-26T09:00:00+01:00",
    ],
    ["ten thousand of them", { datetime: "2026-11-20", count: 10_000 }, "2065-03-20"],
  ])("%s", async (_name, request, iso) => {
    expect(await askDatetime({ operation: "add_business_days", ...request })).toMatchObject({ iso });
  });

  it("are counted after the first day, and with both", async () => {
    const request = { operation: "count_business_days", datetime: "2026-11-20", end: "2026-11-27" };
    expect(await askDatetime(request)).toEqual({
      start: "2026-11-20",
      end: "2026-11-27",
      businessDays: 5,
      businessDaysInclusive: 6,
      calendarDays: 7,
    });
    expect(await askDatetime({ ...request, datetime: "2026-11-27", end: "2026-11-20" })).toMatchObject({
      businessDays: -5,
      businessDaysInclusive: 6,
      calendarDays: -7,
    });
  });

  it("that are added are those that are counted", () => {
    const calendar = fc.record({
      weekend: fc.subarray([...WEEKDAYS], { maxLength: 6 }),
      holidays: fc.array(
        fc.integer({ min: 0, max: 400 }).map((days) => Temporal.PlainDate.from("2026-01-01").add({ days })),
        { maxLength: 20 },
      ),
    });
    fc.assert(
      fc.property(
        calendar,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: -200, max: 200 }),
        (days, start, count) => {
          fc.pre(count !== 0);
          const from = Temporal.PlainDate.from("2026-01-01").add({ days: start });
          const to = addBusinessDays(from, count, days);
          const counted = countBusinessDays(from, to, days).businessDays;
          expect(counted).toBe(count);
        },
      ),
      { numRuns: 300, seed: 20_261_121 },
    );
  });
});

it("up to 500 days may be holidays", async () => {
  const first = Temporal.PlainDate.from("2030-01-01");
  const holidays = Array.from({ length: 500 }, (_, days) => first.add({ days }).toString());
  const answer = await askDatetime({ operation: "add_business_days", datetime: "2029-12-31", holidays });
  expect(answer).toMatchObject({ iso: "2031-05-16" });
});
