import { expect, it } from "vitest";
import { addModelCalls, addUsage } from "../../src/executions/machine/usage.ts";

const none = { inputTokens: 0, outputTokens: 0, toolCalls: 2 };
const answer = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 };

it("answers are summed, with the calls that the provider made itself", () => {
  const first = addUsage(none, answer, 3);
  expect(first).toEqual({ ...answer, toolCalls: 2, hostedToolCalls: 3 });
  const second = addUsage(first, { inputTokens: 1, outputTokens: 1 }, 2);
  expect(second).toEqual({
    ...{ inputTokens: 11, outputTokens: 6, cachedInputTokens: 4 },
    ...{ toolCalls: 2, hostedToolCalls: 5 },
  });
});

it("an answer without hosted calls changes nothing about those before it, and adds no count of 0", () => {
  expect(addUsage({ ...none, hostedToolCalls: 3 }, answer, 0)).toMatchObject({ hostedToolCalls: 3 });
  expect(addUsage(none, answer, 0)).toEqual({ ...answer, toolCalls: 2 });
});

it("what tools asked of the model adds tokens and no hosted calls", () => {
  const at = "2026-11-22T06:00:00.000Z";
  const call = { model: "m", startedAt: at, durationMs: 1, requests: 1, usage: answer, cost: { usd: 0, credits: 0 } };
  const used = addModelCalls({ ...none, hostedToolCalls: 1 }, [call, call]);
  expect(used).toEqual({
    ...{ inputTokens: 20, outputTokens: 10, cachedInputTokens: 8 },
    ...{ toolCalls: 2, hostedToolCalls: 1 },
  });
});
