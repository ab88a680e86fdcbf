import { DEFAULT_LIMITS } from "@yagate/protocol";
import { expect, it } from "vitest";
import { usedUpSpend } from "../src/limits.ts";

const usage = { inputTokens: 60, outputTokens: 40, toolCalls: 0 };

it.each([
  [{ usd: 0.5, credits: 0, isPartial: true }, "the execution has cost at least 0.5 USD, and its limit is 0.5 USD"],
  [{ usd: 0.5, credits: 0, isPartial: false }, "the execution has cost 0.5 USD, and its limit is 0.5 USD"],
  [{ usd: 0.5, credits: 0 }, "the execution has cost 0.5 USD, and its limit is 0.5 USD"],
])("a spent budget says whether the cost is a lower bound: %j", (cost, message) => {
  const limits = { ...DEFAULT_LIMITS, maxCostUsd: 0.5 };
  expect(usedUpSpend({ limits, usage, cost })).toEqual({ limit: "maxCostUsd", message });
});

it.each([
  [100, "maxTotalTokens"],
  [101, undefined],
])("100 used tokens of %i", (maxTotalTokens, limit) => {
  const limits = { ...DEFAULT_LIMITS, maxTotalTokens };
  expect(usedUpSpend({ limits, usage, cost: { usd: 0, credits: 0 } })?.limit).toBe(limit);
});
