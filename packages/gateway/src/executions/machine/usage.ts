import type { ModelCall, TokenUsage, Usage } from "@yagate/protocol";

/** What was used before and by one more answer of the model, with the tools that its provider ran. */
export function addUsage(usage: Usage, answer: TokenUsage, hostedToolCalls: number): Usage {
  const hosted = (usage.hostedToolCalls ?? 0) + hostedToolCalls;
  return {
    ...usage,
    inputTokens: usage.inputTokens + answer.inputTokens,
    outputTokens: usage.outputTokens + answer.outputTokens,
    ...sum("cachedInputTokens", usage, answer),
    ...sum("cacheWriteTokens", usage, answer),
    ...sum("reasoningTokens", usage, answer),
    ...(hosted === 0 ? {} : { hostedToolCalls: hosted }),
  };
}

/** What was used before and by what tools asked of the model. */
export function addModelCalls(usage: Usage, calls: readonly ModelCall[] = []): Usage {
  return calls.reduce((sum, call) => addUsage(sum, call.usage, 0), usage);
}

type Detail = "cachedInputTokens" | "cacheWriteTokens" | "reasoningTokens";

function sum(name: Detail, usage: TokenUsage, answer: TokenUsage): { [name in Detail]?: number } {
  const total = (usage[name] ?? 0) + (answer[name] ?? 0);
  return total === 0 ? {} : { [name]: total };
}
