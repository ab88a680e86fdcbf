import { describe, expect, it } from "vitest";
import { parseHttpDate } from "../../src/http/http-date.ts";
import { parseRetryAfter } from "../../src/http/retry-after.ts";

const NOW = Date.UTC(2027, 0, 15, 8, 0, 0);

describe("parseRetryAfter reads", () => {
  it.each<[string, string | null | undefined, number | undefined]>([
    ["seconds", "120", 120_000],
    ["seconds between spaces", " 7 ", 7_000],
    ["no time at all", "0", 0],
    ["a fraction, which some APIs send", "1.5", 1_500],
    ["a fraction of a millisecond, rounded up", "0.0001", 1],
    ["more seconds than a number can count in milliseconds", "9".repeat(30), Number.MAX_SAFE_INTEGER],
    ["a date", "Fri, 15 Jan 2027 08:00:30 GMT", 30_000],
    ["a date that is over", "Fri, 15 Jan 2027 07:59:30 GMT", 0],
    ["a date of RFC 850", "Friday, 15-Jan-27 08:00:30 GMT", 30_000],
    ["a date of asctime, in UTC wherever this runs", "Fri Jan 15 08:00:30 2027", 30_000],
    ["a number below zero", "-1", undefined],
    ["a sign", "+1", undefined],
    ["an exponent", "1e3", undefined],
    ["a word", "soon", undefined],
    ["what only Date.parse takes for a date", "January 2", undefined],
    ["a number after a word", "retry 5", undefined],
    ["an ISO date", "2027-01-15T08:00:30Z", undefined],
    ["a date in another zone", "Fri, 15 Jan 2027 08:00:30 +0100", undefined],
    ["an empty text", "", undefined],
    ["null", null, undefined],
    ["nothing", undefined, undefined],
  ])("%s", (_name, header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });
});

it("a date that does not exist is none", () => {
  expect(parseHttpDate("Fri, 15 Foo 2027 08:00:30 GMT")).toBeUndefined();
});
