import { expect, it } from "vitest";
import { askDatetime } from "./ask-datetime.ts";

// Figures of `zdump -v` of the time zone database, release 2026c.
it.each<[string, string, boolean, string | null, string | null]>([
  ["Europe/Paris", "2026-07-01T00:00:00Z", true, "2026-10-25T01:00:00Z", "2026-03-29T01:00:00Z"],
  ["Europe/Paris", "2026-11-21T00:00:00Z", false, "2027-03-28T01:00:00Z", "2026-10-25T01:00:00Z"],
  ["Europe/Paris", "2026-03-29T01:00:00Z", true, "2026-10-25T01:00:00Z", "2026-03-29T01:00:00Z"],
  ["Europe/Paris", "2026-03-29T00:59:59Z", false, "2026-03-29T01:00:00Z", "2025-10-26T01:00:00Z"],
  ["America/New_York", "2024-07-04T12:00:00Z", true, "2024-11-03T06:00:00Z", "2024-03-10T07:00:00Z"],
  ["Australia/Sydney", "2024-01-15T00:00:00Z", true, "2024-04-06T16:00:00Z", "2023-09-30T16:00:00Z"],
  ["Australia/Lord_Howe", "2024-07-15T00:00:00Z", false, "2024-10-05T15:30:00Z", "2024-04-06T15:00:00Z"],
  ["America/Sao_Paulo", "2018-12-01T00:00:00Z", true, "2019-02-17T02:00:00Z", "2018-11-04T03:00:00Z"],
  ["America/Sao_Paulo", "2024-12-01T00:00:00Z", false, null, "2019-02-17T02:00:00Z"],
  ["Asia/Kolkata", "2024-07-01T00:00:00Z", false, null, "1945-10-14T17:30:00Z"],
  ["Europe/Istanbul", "2020-07-01T00:00:00Z", false, null, "2016-03-27T01:00:00Z"],
  // zdump -v: local mean time, with seconds, until there were zones.
  ["America/New_York", "1900-01-01T00:00:00Z", false, "1918-03-31T07:00:00Z", "1883-11-18T17:00:00Z"],
  ["Asia/Tokyo", "1800-01-01T00:00:00Z", false, "1887-12-31T15:00:00Z", null],
  ["UTC", "2024-07-01T00:00:00Z", false, null, null],
  ["+05:30", "2024-07-01T00:00:00Z", false, null, null],
])("%s at %s: summer time %s, then %s", async (timezone, datetime, isDst, next, previous) => {
  const answer = await askDatetime({ operation: "zone_info", datetime, timezone });
  expect(answer).toMatchObject({
    timezone,
    isDst,
    nextTransition: next === null ? null : { instant: next },
    previousTransition: previous === null ? null : { instant: previous },
  });
});

it("a change of clocks is told whole", async () => {
  expect(await askDatetime({ operation: "zone_info", timezone: "Europe/Paris" })).toEqual({
    timezone: "Europe/Paris",
    at: "2026-11-21T07:00:00+01:00",
    offset: "+01:00",
    name: "Central European Standard Time",
    isDst: false,
    nextTransition: {
      instant: "2027-03-28T01:00:00Z",
      offsetBefore: "+01:00",
      offsetAfter: "+02:00",
      localBefore: "2027-03-28T02:00:00",
      localAfter: "2027-03-28T03:00:00",
      change: "forward",
    },
    previousTransition: {
      instant: "2026-10-25T01:00:00Z",
      offsetBefore: "+02:00",
      offsetAfter: "+01:00",
      localBefore: "2026-10-25T03:00:00",
      localAfter: "2026-10-25T02:00:00",
      change: "back",
    },
  });
});
