import { expect, it } from "vitest";
import { durationOf } from "../src/duration.ts";

it.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["30", 30_000],
  ["1.5m", 90_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
  ["24d", 24 * 86_400_000],
])("%s is %i ms", (text, ms) => {
  expect(durationOf(text, "--timeout")).toBe(ms);
});

it.each(["", "0", "-1", "1w", "1 h", "25d", "1e3", "s"])("%j is not a duration", (text) => {
  expect(() => durationOf(text, "--timeout")).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
});
