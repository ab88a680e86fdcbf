import { expect, it } from "vitest";
import { retryDelayMs } from "../src/attempt.ts";

it.each<[retry: number, longestMs: number]>([
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [6, 30_000],
  [7, 30_000],
  [40, 30_000],
])("retry %i waits for a random part of %i ms", (retry, longestMs) => {
  expect(retryDelayMs(retry, () => 1, undefined)).toBe(longestMs);
  expect(retryDelayMs(retry, () => 0.5, undefined)).toBe(longestMs / 2);
  expect(retryDelayMs(retry, () => 0, undefined)).toBe(0);
});

it("a retry waits exactly as long as Retry-After says", () => {
  expect(retryDelayMs(7, () => 1, 90_000)).toBe(90_000);
  expect(retryDelayMs(7, () => 1, 0)).toBe(0);
});
