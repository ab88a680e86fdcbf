import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../src/policy.ts";

const source = readFileSync(new URL("../src/policy.ts", import.meta.url), "utf8");
const DOCUMENTED = /\/\*\*((?:(?!\*\/).)*)\*\/\s*readonly (\w+): number;/gs;
const DEFAULT = /default (?:and maximum )?(\d[\d,]*\d|\d+)( MiB)?/i;

it("each limit has the default that its docstring states", () => {
  const stated = Array.from(source.matchAll(DOCUMENTED), ([, text = "", name = ""]) => {
    const [, number = "", unit] = DEFAULT.exec(text) ?? [];
    return [name, Number(number.replaceAll(",", "")) * (unit === undefined ? 1 : 1024 * 1024)];
  });
  expect(Object.fromEntries(stated)).toEqual(DEFAULT_LIMITS);
});
