import { expect, it } from "vitest";
import { parseRetryAfter } from "../../src/callback/retry-after.ts";
import { NOW_MS } from "../support/calls.ts";

it.each<[string, string | null, number | undefined]>([
  ["seconds", "120", 120_000],
  ["no time at all", "0", 0],
  ["a date", "Fri, 15 Jan 2027 08:00:30 GMT", 30_000],
  ["a date that is over", "Fri, 15 Jan 2027 07:59:30 GMT", 0],
  ["a number below zero", "-1", undefined],
  ["a fraction", "1.5", undefined],
  ["a word", "soon", undefined],
  ["nothing", null, undefined],
])("reads %s", (_name, header, ms) => {
  expect(parseRetryAfter(header, NOW_MS)).toBe(ms);
});
