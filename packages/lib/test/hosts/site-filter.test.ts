import { describe, expect, it } from "vitest";
import { createDestinationList } from "../../src/hosts/destination-list.ts";
import { isWithinSite, parseSite } from "../../src/hosts/site-filter.ts";

it.each<[host: string, site: string, isWithin: boolean]>([
  ["example.com", "example.com", true],
  ["www.example.com", "example.com", true],
  ["a.b.example.com", "example.com", true],
  ["notexample.com", "example.com", false],
  ["example.com.evil.test", "example.com", false],
  ["example.co", "example.com", false],
  ["com", "example.com", false],
  ["one.github.io", "two.github.io", false],
  ["192.0.2.1", "192.0.2.1", true],
  ["192.0.2.1", "2.1", false],
])("the host %s in the site %s: %s", (host, site, isWithin) => {
  expect(isWithinSite(host, site)).toBe(isWithin);
});

describe("the same entry", () => {
  it.each<[host: string, isDestination: boolean, isOnSite: boolean]>([
    ["example.com", true, true],
    ["www.example.com", false, true],
    ["a.www.example.com", false, true],
    ["notexample.com", false, false],
  ])("example.com as destination and as site, for %s: %s, %s", (host, isDestination, isOnSite) => {
    expect(createDestinationList(["example.com"])(host)).toBe(isDestination);
    expect(isWithinSite(host, parseSite("example.com") ?? "")).toBe(isOnSite);
  });
});
