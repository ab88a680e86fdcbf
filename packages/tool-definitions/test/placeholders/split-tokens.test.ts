import { expect, it } from "vitest";
import { splitTokens } from "../../src/placeholders/split-tokens.ts";

it("lists what is between the separators, empty places too", () => {
  expect(splitTokens([{ text: "a/b" }, { parameter: "p" }, { text: "//" }], "/")).toEqual([
    [{ text: "a" }],
    [{ text: "b" }, { parameter: "p" }],
    [],
    [],
  ]);
  expect(splitTokens([], "/")).toEqual([[]]);
});

it("takes time in proportion to the tokens", () => {
  const tokens = Array.from({ length: 40_000 }, (_, index) => (index % 2 === 0 ? { text: "/" } : { parameter: "p" }));
  const before = process.threadCpuUsage();
  expect(splitTokens(tokens, "/")).toHaveLength(20_001);
  expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
});
