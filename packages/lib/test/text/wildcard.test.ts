import { expect, it } from "vitest";
import { createWildcard } from "../../src/text/wildcard.ts";

it.each<[string, string, boolean]>([
  ["orders", "orders", true],
  ["orders", "orders2", false],
  ["*", "", true],
  ["*", "a.b", true],
  ["orders.*", "orders.get", true],
  ["orders.*", "order", false],
  ["*_get", "orders_get", true],
  ["a*b*c", "a1b2c", true],
  ["a*b*c", "acb", false],
  ["aba*aba", "aba", false],
  ["aba*aba", "abaaba", true],
  ["a**b", "ab", true],
  ["a.c", "abc", false],
])("%s on %j: %s", (pattern, text, matches) => {
  expect(createWildcard(pattern)(text)).toBe(matches);
});
