import { describe, expect, it } from "vitest";
import { mean } from "../search/measures.ts";
import { leastQueryTimes } from "../tool-search/compare.ts";
import { bfclCatalogue, metaToolCatalogue, sampleOf } from "../tool-search/questions.ts";
import { gatewaySearch, recall } from "../tool-search/recall.ts";

describe("tool search, on five random sets", () => {
  it.each([
    [1_000, 0.88],
    [200, 0.95],
    [50, 0.95],
  ])("of %i tools, has a mean recall@5 of at least %f", async (size, least) => {
    const bfcl = await bfclCatalogue();
    const recalls: number[] = [];
    for (let seed = 1; seed <= 5; seed += 1) {
      const sample = sampleOf(bfcl, size, seed);
      recalls.push(recall(await gatewaySearch(sample), sample.questions));
    }
    expect(mean(recalls)).toBeGreaterThanOrEqual(least);
  });
});

it("finds the tools of all queries of MetaTool", async () => {
  const { tools, questions } = await metaToolCatalogue();
  expect(recall(await gatewaySearch({ tools }), questions)).toBeGreaterThanOrEqual(0.62);
});

it("takes less than 5 ms for 99 of 100 queries at 1,000 tools", async () => {
  const sample = sampleOf(await bfclCatalogue(), 1_000, 1);
  const find = await gatewaySearch(sample);
  const times = leastQueryTimes(find, sample.questions, 7);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  expect(p99).toBeLessThan(5);
});
