import type { HostedCall } from "@yagate/protocol";
import { countHosted } from "./hosted/count-searches.ts";
import { groundingQueries } from "./hosted/hosted-calls.ts";
import type { ModelTurn, TurnSpending } from "./port.ts";
import type { Prices } from "./prices/prices.ts";
import { reportedCost } from "./prices/reported-cost.ts";
import { PICO_PER_USD, turnCost } from "./prices/turn-cost.ts";
import type { ProviderReply } from "./turn-conversion.ts";
import { addTokenUsage, toTokenUsage } from "./turn-usage.ts";

const NOTHING = { inputTokens: 0, outputTokens: 0 } as const;

/** What is needed to price a turn: the model, the time of the response, and the prices. */
export interface SpendingContext {
  readonly provider: string;
  /** The provider's name for the model. */
  readonly model: string;
  readonly prices: Prices;
  /** ms since the epoch. */
  readonly at: number;
}

/**
 * Returns the usage and cost of a turn. Each request is priced separately, because the sum could exceed a threshold for
 * long prompts, which have higher rates.
 *
 * @param answers - the responses to the turn's requests, at least one.
 */
export function spendingOf(
  answers: readonly ProviderReply[],
  { hostedCalls }: Pick<ModelTurn, "hostedCalls">,
  context: SpendingContext,
): TurnSpending {
  const [only, ...others] = answers;
  if (only !== undefined && others.length === 0) return spendingOfRequest(only, hostedCalls, context);
  return answers
    .map((answer) => {
      const made = new Set(answer.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])));
      return spendingOfRequest(
        answer,
        hostedCalls.filter(({ id }) => made.has(id)),
        context,
      );
    })
    .reduce(addSpending);
}

function addSpending(first: TurnSpending, second: TurnSpending): TurnSpending {
  return {
    usage: addTokenUsage(first.usage, second.usage),
    cost: {
      usd: (Math.round(first.cost.usd * PICO_PER_USD) + Math.round(second.cost.usd * PICO_PER_USD)) / PICO_PER_USD,
      isPartial: first.cost.isPartial || second.cost.isPartial,
    },
  };
}

function spendingOfRequest(
  { usage: counted, providerMetadata }: ProviderReply,
  hostedCalls: readonly HostedCall[],
  { provider, model, prices, at }: SpendingContext,
): TurnSpending {
  const usage = toTokenUsage(counted);
  if (provider === "scripted") return { usage: usage ?? NOTHING, cost: { usd: 0, isPartial: false } };
  const { raw: rawUsage } = counted;
  const queries = groundingQueries(providerMetadata);
  const { webSearches, others } = countHosted(provider, model, { calls: hostedCalls, rawUsage, queries });
  const billed = { usage, webSearches, otherHostedCalls: others };
  const cost = reportedCost(provider, rawUsage) ?? turnCost(billed, prices.find(provider, model, at));
  return { usage: usage ?? NOTHING, cost };
}

/**
 * Returns the usage of a turn whose response was cut off. The amount is unknown, so the cost is partial unless the
 * model is free.
 */
export function unknownSpending({ provider, model, prices, at }: SpendingContext): TurnSpending {
  const price = provider === "scripted" ? undefined : prices.find(provider, model, at);
  const isFree = provider === "scripted" || (price?.input === 0 && price.output === 0);
  return { usage: NOTHING, cost: { usd: 0, isPartial: !isFree } };
}
