import { expect, it } from "vitest";
import { parseDestination } from "../src/destination.ts";
import { rememberUrls } from "../src/gate.ts";

const BOUND = 1_024;

function remember() {
  const parsed: string[] = [];
  const parse = rememberUrls((url) => {
    parsed.push(url);
    return parseDestination(url, 10_000);
  });
  return { parsed, parse };
}

const urlOf = (number: number) => `https://a.example/${number}`;

it("of remembered URLs the one that was not used for longest is dropped first", () => {
  const { parsed, parse } = remember();
  for (let number = 0; number < BOUND; number += 1) parse(urlOf(number));
  expect(parse(urlOf(0))).toBe(parse(urlOf(0)));
  expect(parsed).toHaveLength(BOUND);
  for (const number of [BOUND, 0, 1]) parse(urlOf(number));
  expect(parsed.slice(BOUND)).toEqual([urlOf(BOUND), urlOf(1)]);
});

it("neither a long URL nor a refused one is remembered", () => {
  const { parsed, parse } = remember();
  const long = `https://a.example/${"a".repeat(600)}`;
  for (const _ of [1, 2]) {
    parse(long);
    expect(() => parse("no URL")).toThrow();
  }
  expect(parsed).toEqual([long, "no URL", long, "no URL"]);
});
