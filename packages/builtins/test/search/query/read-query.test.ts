import { describe, expect, it } from "vitest";
import { type ReadQuery, readQuery } from "../../../src/search/plan-queries.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const read = (query: string) => readQuery(query, NOW);

// What the operators mean is as Google describes them: "Refine Google searches" and, for dates, the announcement of
// before: and after:, by which a year alone is its first day.
it.each<[query: string, expected: Partial<ReadQuery>]>([
  ["heat pumps", { text: "heat pumps" }],
  ["pumps site:example.ch", { text: "pumps", allowedDomains: ["example.ch"] }],
  ["pumps site:.CH-Portal.example", { text: "pumps site:.CH-Portal.example", allowedDomains: [] }],
  ["pumps site:*.example.ch", { allowedDomains: ["example.ch"] }],
  ["pumps site:bücher.example", { allowedDomains: ["xn--bcher-kva.example"] }],
  ["pumps SITE:example.ch site:example.ch", { allowedDomains: ["example.ch"] }],
  ["pumps -site:ads.example", { text: "pumps", blockedDomains: ["ads.example"], allowedDomains: [] }],
  ["jaguar speed -car", { text: "jaguar speed", excludedTerms: ["car"] }],
  ['jaguar -"big cat"', { text: "jaguar", excludedTerms: ["big cat"] }],
  ['"tallest building" height', { text: '"tallest building" height', phrases: ["tallest building"] }],
  ["pumps after:2018", { text: "pumps", publishedAfter: "2018-01-01" }],
  ["pumps before:2018", { text: "pumps", publishedBefore: "2017-12-31" }],
  ["pumps after:2018-04-01 before:2018/5/2", { publishedAfter: "2018-04-01", publishedBefore: "2018-05-01" }],
  ["before:2024-03-01 leap", { publishedBefore: "2024-02-29" }],
  ["pumps after:2018-02-30", { text: "pumps after:2018-02-30" }],
  ["pumps after:yesterday", { text: "pumps after:yesterday" }],
  ["10 - 3", { text: "10 - 3", excludedTerms: [] }],
  ["well-known co-op", { text: "well-known co-op", excludedTerms: [] }],
  ["site:", { text: "site:" }],
  ["-", { text: "-" }],
  ['""', { text: "" }],
  ["Please search the web for heat pumps?", { text: "heat pumps" }],
  ["can you find me information about heat pumps", { text: "heat pumps" }],
  ["suche bitte nach Wärmepumpen", { text: "Wärmepumpen" }],
  ["look up", { text: "look up" }],
  ["search engines compared", { text: "search engines compared" }],
  ["best films this year", { text: "best films 2026" }],
  ["inflation last year", { text: "inflation 2025" }],
  ['"last year in marienbad"', { text: '"last year in marienbad"' }],
])("%s", (query, expected) => {
  expect(read(query)).toMatchObject(expected);
});

describe("readQuery", () => {
  it("takes time in proportion to what it reads", () => {
    const query = `${'"'.repeat(2_000)}${"-".repeat(2_000)}${" last year".repeat(400)}`;
    const before = process.threadCpuUsage();
    read(query);
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
