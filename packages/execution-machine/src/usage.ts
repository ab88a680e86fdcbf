import type { ModelCall, TokenUsage, Usage } from "@yagate/protocol";

/** Adds the tokens of a reply and the number of provider-run tool calls. */
export function addUsage(usage: Usage, reply: TokenUsage, hostedToolCalls: number): Usage {
  const hosted = (usage.hostedToolCalls ?? 0) + hostedToolCalls;
  return {
    ...usage,
    inputTokens: usage.inputTokens + reply.inputTokens,
    outputTokens: usage.outputTokens + reply.outputTokens,
    ...sum("cachedInputTokens", usage, reply),
    ...sum("cacheWriteTokens", usage, reply),
    ...sum("reasoningTokens", usage, reply),
    ...(hosted === 0 ? {} : { hostedToolCalls: hosted }),
  };
}

/** Adds the tokens of the model calls that a tool made. */
export function addModelCalls(usage: Usage, calls: readonly ModelCall[] = []): Usage {
  return calls.reduce((sum, call) => addUsage(sum, call.usage, 0), usage);
}

type Detail = "cachedInputTokens" | "cacheWriteTokens" | "reasoningTokens";

function sum(name: Detail, usage: TokenUsage, reply: TokenUsage): { [name in Detail]?: number } {
  const total = (usage[name] ?? 0) + (reply[name] ?? 0);
  return total === 0 ? {} : { [name]: total };
}
