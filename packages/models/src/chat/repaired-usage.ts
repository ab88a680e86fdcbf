import { defined } from "@yagate/lib/objects/defined";
import { toRecord } from "../hosted/record.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the token counts from the fields in which servers report them: `usage`, Moonshot's choice, Groq's `x_groq`, or
 * llama.cpp's `timings`. Values that are not numbers are dropped.
 */
export function readChatUsage(answer: Fields): Fields | undefined {
  const given = toRecord(answer["usage"]) ?? usageOfChoice(answer) ?? toRecord(toRecord(answer["x_groq"])?.["usage"]);
  if (given === undefined) return usageOfTimings(toRecord(answer["timings"]));
  const counts = countsIn(given);
  const input = counts["prompt_tokens"] ?? counts["input_tokens"];
  const output = counts["completion_tokens"] ?? counts["output_tokens"];
  return {
    ...counts,
    ...defined({ prompt_tokens: input, completion_tokens: output }),
    ...cachedIn(counts),
  };
}

/**
 * Reads the number of cached tokens. DeepSeek and Moonshot report this number next to the other counts. A value in the
 * details takes precedence.
 */
function cachedIn(counts: Fields): Fields {
  const details = toRecord(counts["prompt_tokens_details"]);
  const cached = counts["prompt_cache_hit_tokens"] ?? counts["cached_tokens"];
  if (cached === undefined || details?.["cached_tokens"] !== undefined) return {};
  return { prompt_tokens_details: { ...details, cached_tokens: cached } };
}

function usageOfChoice({ choices }: Fields): Fields | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.map((choice) => toRecord(toRecord(choice)?.["usage"])).find((usage) => usage !== undefined);
}

function usageOfTimings(timings: Fields | undefined): Fields | undefined {
  const { prompt_n, cache_n = 0, predicted_n } = countsIn(timings ?? {});
  if (typeof prompt_n !== "number" || typeof cache_n !== "number" || typeof predicted_n !== "number") return undefined;
  return {
    prompt_tokens: prompt_n + cache_n,
    completion_tokens: predicted_n,
    prompt_tokens_details: { cached_tokens: cache_n },
  };
}

function countsIn(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const nested = toRecord(value);
      const count = nested === undefined ? toNumber(value) : countsIn(nested);
      return count === undefined ? [] : [[name, count]];
    }),
  );
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/**
 * Fills in missing counts. The AI SDK's Mistral provider requires all of them, because Mistral's own API always sends
 * them.
 */
export function completeUsage(usage: Fields | undefined): Fields {
  const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
  const isComplete = typeof prompt_tokens === "number" && typeof completion_tokens === "number";
  // A negative count stands for a missing one.
  if (!isComplete)
    return {
      ...usage,
      prompt_tokens: prompt_tokens ?? -1,
      completion_tokens: completion_tokens ?? -1,
      total_tokens: -1,
    };
  return {
    ...usage,
    total_tokens: typeof total_tokens === "number" ? total_tokens : prompt_tokens + completion_tokens,
  };
}
