import { describe, expect, it } from "vitest";
import { bfclCatalogue, metaToolCatalogue, sampleOf } from "../tool-search/questions.ts";
import { gatewaySearch, recall } from "../tool-search/recall.ts";
import { savingsOf } from "../tool-search/savings.ts";

describe("tool search finds the right tool among the first five", () => {
  it("of all tools of BFCL, for the user's question and for an agent's queries", async () => {
    const bfcl = await bfclCatalogue();
    expect(bfcl.tools).toHaveLength(1_437);
    const find = await gatewaySearch(bfcl);
    expect(recall(find, bfcl.questions)).toBeGreaterThanOrEqual(0.85);
    expect(recall(find, bfcl.capabilities)).toBeGreaterThanOrEqual(0.9);
  });

  it("of 1,000 and of 200 of them", async () => {
    const bfcl = await bfclCatalogue();
    const large = sampleOf(bfcl, 1_000, 1);
    expect(recall(await gatewaySearch(large), large.questions)).toBeGreaterThanOrEqual(0.88);
    const small = sampleOf(bfcl, 200, 1);
    expect(recall(await gatewaySearch(small), small.questions)).toBeGreaterThanOrEqual(0.94);
  });

  it("of the tools of MetaTool, which it was not tuned on", async () => {
    const { tools, questions } = await metaToolCatalogue();
    const some = questions.filter((_question, index) => index % 10 === 0);
    expect(recall(await gatewaySearch({ tools }), some)).toBeGreaterThanOrEqual(0.62);
  });
});

describe("tool search saves", () => {
  it.each([
    [50, 0.8],
    [200, 0.93],
    [1_000, 0.98],
  ])("of the tokens of %i definitions at least the share %f, and less of the cost", async (size, least) => {
    const savings = await savingsOf(sampleOf(await bfclCatalogue(), size, 1));
    expect(savings.tokens).toBeGreaterThanOrEqual(least);
    // Definitions that are cached cost a tenth, whether or not they are needed.
    expect(savings.appendedCost).toBeLessThan(savings.tokens);
    // What the provider has cached stays valid when a tool is loaded.
    expect(savings.nativeCost).toBeGreaterThan(savings.appendedCost);
    expect(savings.appendedCost).toBeGreaterThan(0);
  });
});
