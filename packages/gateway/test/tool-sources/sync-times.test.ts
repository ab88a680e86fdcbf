import { expect, it } from "vitest";
import { syncWaitMs } from "../../src/tool-sources/sync-times.ts";

it.each<[string, number, number]>([
  ["after a success, the interval", 0, 900_000],
  ["after a failure, one minute", 1, 60_000],
  ["after each further failure, twice as long", 4, 480_000],
  ["never longer than an hour", 7, 3_600_000],
  ["never longer than an hour, however often it fails", 2_000, 3_600_000],
])("waits %s", (_what, failures, expected) => {
  expect(syncWaitMs(failures, 900, 0.5)).toBe(expected);
});

it("varies each wait by up to 10 %", () => {
  expect(syncWaitMs(0, 60, 0)).toBe(54_000);
  expect(syncWaitMs(0, 60, 0.999_999)).toBe(66_000);
});
