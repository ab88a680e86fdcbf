import type { Cost, ModelCall, TokenUsage, Usage } from "@yagate/protocol";

export const NO_COST: Cost = { usd: 0, credits: 0 };

// Sums of dollars as floating-point numbers drift: three times 0.1 is more than 0.3. A token of the cheapest models
// costs 10⁻⁸ USD.
const PICO = 1e12;

/** Adds two costs with a precision of 10⁻¹² dollars or credits. */
export function addCosts(first: Cost, second: Cost): Cost {
  const isPartial = first.isPartial === true || second.isPartial === true;
  return {
    usd: add(first.usd, second.usd),
    credits: add(first.credits, second.credits),
    ...(isPartial ? { isPartial } : {}),
  };
}

function add(first: number, second: number): number {
  return (Math.round(first * PICO) + Math.round(second * PICO)) / PICO;
}

/** Returns whether the cost is known to be zero. */
export function isFree(cost: Cost): boolean {
  return cost.usd === 0 && cost.credits === 0 && cost.isPartial !== true;
}

const PARTS_OF_A_DOLLAR = 1e9;

/** Returns whether the sum of the costs exceeds `limitUsd`, rounded to billionths of a dollar. */
export function isOverUsd(costs: readonly Cost[], limitUsd: number): boolean {
  const sum = costs.reduce((total, { usd }) => total + Math.round(usd * PARTS_OF_A_DOLLAR), 0);
  return sum > Math.round(limitUsd * PARTS_OF_A_DOLLAR);
}

/** Returns whether the cost uses up `limitUsd`. A cost of 0 does not use up any limit, not even one of 0. */
export function isUsedUpUsd({ usd }: Cost, limitUsd: number): boolean {
  return usd > 0 && Math.round(usd * PARTS_OF_A_DOLLAR) >= Math.round(limitUsd * PARTS_OF_A_DOLLAR);
}

/** Returns the total cost of the model calls that a tool made. */
export function costOfModelCalls(calls: readonly ModelCall[]): Cost {
  return calls.reduce((sum, { cost }) => addCosts(sum, cost), NO_COST);
}

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
