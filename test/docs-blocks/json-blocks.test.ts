import { expect, it } from "vitest";
import { blocksOfAllPages } from "./doc-pages.ts";

it("every json block is valid JSON", () => {
  const invalid = blocksOfAllPages().filter(({ language, text }) => language === "json" && !isJson(text));
  expect(invalid.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

it.each(["{ a: 1 }", '{ "a": … }', ""])("%s would be refused", (text) => {
  expect(isJson(text)).toBe(false);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
