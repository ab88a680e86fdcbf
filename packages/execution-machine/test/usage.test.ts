import { expect, it } from "vitest";
import { addModelCalls, addUsage } from "../src/cost.ts";

const none = { inputTokens: 0, outputTokens: 0, toolCalls: 2 };
const answer = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 };

it("replies are summed, with the calls of provider-run tools", () => {
  const first = addUsage(none, answer, 3);
  expect(first).toEqual({ ...answer, toolCalls: 2, hostedToolCalls: 3 });
  const second = addUsage(first, { inputTokens: 1, outputTokens: 1 }, 2);
  expect(second).toEqual({
    ...{ inputTokens: 11, outputTokens: 6, cachedInputTokens: 4 },
    ...{ toolCalls: 2, hostedToolCalls: 5 },
  });
});

it("a reply without provider-run calls keeps their count, and adds no count of 0", () => {
  expect(addUsage({ ...none, hostedToolCalls: 3 }, answer, 0)).toMatchObject({ hostedToolCalls: 3 });
  expect(addUsage(none, answer, 0)).toEqual({ ...answer, toolCalls: 2 });
});

it("model calls of tools add tokens and no provider-run calls", () => {
  const at = "2026-11-22T06:00:00.000Z";
  const call = { model: "m", startedAt: at, durationMs: 1, requests: 1, usage: answer, cost: { usd: 0, credits: 0 } };
  const used = addModelCalls({ ...none, hostedToolCalls: 1 }, [call, call]);
  expect(used).toEqual({
    ...{ inputTokens: 20, outputTokens: 10, cachedInputTokens: 8 },
    ...{ toolCalls: 2, hostedToolCalls: 1 },
  });
});
