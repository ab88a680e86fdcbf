import { addCosts } from "@yagate/execution-machine/cost";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelPrice } from "../../../models/src/prices/price-table.ts";
import { type BilledTurn, turnCost } from "../../../models/src/prices/turn-cost.ts";

const PRICE: ModelPrice = { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10 };

function cost(billed: Partial<BilledTurn>, price: ModelPrice | undefined = PRICE) {
  const usage = { inputTokens: 1_000, outputTokens: 100 };
  return turnCost({ usage, webSearches: 0, otherHostedCalls: 0, ...billed }, price);
}

describe("the cost of a model turn", () => {
  it.each<[string, Partial<BilledTurn>, Partial<ModelPrice>, number]>([
    ["fresh input and output", {}, {}, 0.003],
    [
      "cached input at its own price",
      { usage: { inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 0 } },
      {},
      0.00128,
    ],
    [
      "input that is written to the cache",
      { usage: { inputTokens: 1_000, cachedInputTokens: 400, cacheWriteTokens: 600, outputTokens: 0 } },
      {},
      0.00158,
    ],
    [
      "cached input at the price of input where there is no other",
      { usage: { inputTokens: 1_000, cachedInputTokens: 1_000, outputTokens: 0 } },
      { cachedInput: undefined },
      0.002,
    ],
    [
      "reasoning once, as a part of the output",
      { usage: { inputTokens: 0, outputTokens: 100, reasoningTokens: 90 } },
      {},
      0.001,
    ],
    ["one token of the cheapest", { usage: { inputTokens: 1, outputTokens: 0 } }, { input: 0.003625 }, 0.000000003625],
    ["searches", { webSearches: 3 }, { webSearchPer1000: 10 }, 0.033],
    ["nothing", { usage: { inputTokens: 0, outputTokens: 0 } }, {}, 0],
  ])("counts %s", (_what, billed, price, usd) => {
    const { cachedInput, ...rest } = { ...PRICE, ...price };
    expect(cost(billed, cachedInput === undefined ? rest : { ...rest, cachedInput })).toEqual({
      usd,
      isPartial: false,
    });
  });

  it.each<[string, number, number]>([
    ["up to the threshold", 1_000, 0.002],
    ["above it, for all tokens", 1_001, 0.004004],
    ["above a second one", 10_001, 0.080008],
  ])("takes the price of long prompts: %s", (_where, inputTokens, usd) => {
    const longPrompts = [
      { above: 10_000, input: 8, output: 10 },
      { above: 1_000, input: 4, output: 10 },
    ];
    expect(cost({ usage: { inputTokens, outputTokens: 0 } }, { ...PRICE, longPrompts }).usd).toBe(usd);
  });

  it.each<[string, Partial<BilledTurn>, ModelPrice | undefined, number]>([
    ["the model has no price", {}, undefined, 0],
    ["the provider did not say what it counted", { usage: undefined }, PRICE, 0],
    ["a search has no price", { webSearches: 1 }, PRICE, 0.003],
    ["another tool of the provider's has none", { otherHostedCalls: 1 }, PRICE, 0.003],
    ["the prompt is longer than the price is known for", {}, { ...PRICE, upTo: 999 }, 0.003],
  ])("is partial when %s", (_why, billed, price, usd) => {
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    expect(turnCost({ usage, webSearches: 0, otherHostedCalls: 0, ...billed }, price)).toEqual({
      usd,
      isPartial: true,
    });
  });

  it("of a free model is 0 and complete, whatever was counted", () => {
    const free = { input: 0, output: 0 };
    expect(cost({}, free)).toEqual({ usd: 0, isPartial: false });
    expect(cost({ usage: undefined }, free)).toEqual({ usd: 0, isPartial: false });
  });
});

describe("sums of costs", () => {
  const dollars = (usd: number) => ({ usd, credits: 0 });

  it("do not drift", () => {
    expect(addCosts(dollars(0.1), dollars(0.2)).usd).toBe(0.3);
    const many = Array.from({ length: 10_000 }, () => dollars(0.000_001_1));
    expect(many.reduce(addCosts, dollars(0)).usd).toBe(0.011);
  });

  it("are exact and the same in any order", () => {
    const picodollars = fc.array(fc.nat({ max: 1e9 }), { maxLength: 50 });
    fc.assert(
      fc.property(picodollars, (amounts) => {
        const total = amounts.reduce((sum, amount) => sum + amount, 0) / 1e12;
        const costs = amounts.map((amount) => dollars(amount / 1e12));
        expect(costs.reduce(addCosts, dollars(0)).usd).toBe(total);
        expect(costs.toReversed().reduce(addCosts, dollars(0)).usd).toBe(total);
      }),
    );
  });

  it("are partial when a part is", () => {
    const partial = { ...dollars(1), isPartial: true };
    expect(addCosts(partial, dollars(1))).toEqual({ usd: 2, credits: 0, isPartial: true });
    expect(addCosts(dollars(1), partial)).toEqual({ usd: 2, credits: 0, isPartial: true });
    expect(addCosts(dollars(1), dollars(1))).toEqual({ usd: 2, credits: 0 });
  });
});
