import { describe, expect, it } from "vitest";
import { citationOverlap } from "../../src/scorers/citation-overlap.ts";

const ARTICLE_14 = "Everyone has the right to seek and to enjoy in other countries asylum from persecution.";
const SALES = "Sales of the Aurora lamp grew by 12.5 % to 1,200 pieces in 2025, the company in Oslo says.";
const PASSAGES = [
  { id: 1, text: ARTICLE_14 },
  { id: 2, text: SALES },
];

describe("citation overlap", () => {
  it.each<[string, string]>([
    ["a sentence taken over", `${ARTICLE_14} [1]`],
    ["a sentence in other forms of the words", "Everyone enjoys the right of seeking asylum in other countries [1]."],
    ["a quotation", "The text speaks of the right “to seek and to enjoy in other countries asylum” [1]."],
    ["a marker after the full stop", "Sales of the Aurora lamp grew in 2025. [2]"],
    [
      "a marker later in the paragraph",
      "Sales of the Aurora lamp grew in 2025. They grew by 12.5 % to 1200 pieces [2].",
    ],
    ["a short sentence without support", "Yes. Sales of the lamp grew [2]."],
  ])("supports %s", (_name, answer) => {
    const { claims, unsupported } = citationOverlap(answer, PASSAGES);
    expect(unsupported).toEqual([]);
    expect(claims).toBeGreaterThan(0);
  });

  it.each<[string, string]>([
    ["another number", "Sales of the Aurora lamp grew by 13.5 % to 1200 pieces [2]."],
    ["another name", "Sales of the Borealis lamp grew by 12.5 % to 1200 pieces [2]."],
    ["another quotation", "The text speaks of the right “to seek and enjoy asylum in all countries” [1]."],
    ["other words", "Gardens flourish wherever patient people water roses daily [1]."],
    ["the passage of another marker", "Sales of the Aurora lamp grew by 12.5 % [1]."],
    ["a marker of no passage", "Sales of the Aurora lamp grew by 12.5 % [9]."],
    [
      "no marker in a paragraph of its own",
      "Sales of the Aurora lamp grew by 12.5 %.\n\nEveryone may seek asylum [1].",
    ],
  ])("misses support for a claim with %s", (_name, answer) => {
    expect(citationOverlap(answer, PASSAGES).unsupported).toHaveLength(1);
  });

  it("compares with all passages if the answer has no markers", () => {
    const passages = [
      { id: undefined, text: ARTICLE_14 },
      { id: undefined, text: SALES },
    ];
    expect(citationOverlap("Everyone may seek asylum. Sales of lamps grew.", passages)).toEqual({
      claims: 2,
      unsupported: [],
    });
    expect(citationOverlap("Everyone may seek asylum.", [])).toMatchObject({
      claims: 1,
      unsupported: [expect.any(String)],
    });
  });

  it("does not judge meaning: a negated sentence has the same words", () => {
    expect(citationOverlap("Not everyone has the right to seek asylum [1].", PASSAGES).unsupported).toEqual([]);
  });

  it("takes time in proportion to the length of an answer", () => {
    const costOf = (repeats: number) => {
      const answer = "Sales of “the Aurora lamp” grew by 12.5 % to 1200 pieces [2]. ".repeat(repeats);
      const before = process.cpuUsage();
      citationOverlap(answer, PASSAGES);
      const { user } = process.cpuUsage(before);
      return user;
    };
    costOf(1_000);
    expect(costOf(4_000)).toBeLessThan(20 * costOf(500) + 100_000);
  });
});
