import type { TokenUsage } from "@yagate/protocol";
import type { LanguageModelUsage } from "ai";

/** As much of the AI SDK's usage as is read here. */
export type SdkUsage = Pick<LanguageModelUsage, "inputTokens" | "outputTokens"> &
  Partial<Pick<LanguageModelUsage, "inputTokenDetails" | "outputTokenDetails" | "raw">>;

/**
 * The tokens that a provider counted; `undefined` when it did not say. What is no count is left out: a provider may
 * send anything, and a negative number here would make an execution cheaper.
 */
export function toTokenUsage(usage: SdkUsage): TokenUsage | undefined {
  const inputTokens = toCount(usage.inputTokens);
  const outputTokens = toCount(usage.outputTokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  const cached = Math.min(toCount(usage.inputTokenDetails?.cacheReadTokens) ?? 0, input);
  const written = Math.min(toCount(usage.inputTokenDetails?.cacheWriteTokens) ?? 0, input - cached);
  const reasoning = Math.min(toCount(usage.outputTokenDetails?.reasoningTokens) ?? 0, output);
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cached === 0 ? {} : { cachedInputTokens: cached }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
  };
}

// Past this nothing is a count of tokens any more, and sums of them would stop being exact.
const MAX_COUNT = 1e12;

function toCount(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= MAX_COUNT ? Math.trunc(value) : undefined;
}

/** What two requests of one turn used together. */
export function addSdkUsage(first: SdkUsage, second: SdkUsage): SdkUsage {
  const ofInput = [first.inputTokenDetails, second.inputTokenDetails] as const;
  const ofOutput = [first.outputTokenDetails, second.outputTokenDetails] as const;
  return {
    inputTokens: add(first.inputTokens, second.inputTokens),
    outputTokens: add(first.outputTokens, second.outputTokens),
    inputTokenDetails: {
      noCacheTokens: add(ofInput[0]?.noCacheTokens, ofInput[1]?.noCacheTokens),
      cacheReadTokens: add(ofInput[0]?.cacheReadTokens, ofInput[1]?.cacheReadTokens),
      cacheWriteTokens: add(ofInput[0]?.cacheWriteTokens, ofInput[1]?.cacheWriteTokens),
    },
    outputTokenDetails: {
      textTokens: add(ofOutput[0]?.textTokens, ofOutput[1]?.textTokens),
      reasoningTokens: add(ofOutput[0]?.reasoningTokens, ofOutput[1]?.reasoningTokens),
    },
  };
}

function add(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined && second === undefined ? undefined : (first ?? 0) + (second ?? 0);
}
