import { expect, it } from "vitest";
import { isFree } from "../src/cost.ts";

it.each([
  [{ usd: 0, credits: 0 }, true],
  [{ usd: 0.1, credits: 0 }, false],
  [{ usd: 0, credits: 3 }, false],
  [{ usd: 0, credits: 0, isPartial: true }, false],
  [{ usd: 0, credits: 0, isPartial: false }, true],
])("%j is free: %s", (cost, expected) => {
  expect(isFree(cost)).toBe(expected);
});
