import { DEFAULT_LIMITS, type Limits } from "@yagate/protocol";

type PartialLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

/** Returns the limits with the defaults filled in. */
export function withDefaultLimits(limits: PartialLimits | undefined): Limits {
  return {
    maxToolIterations: limits?.maxToolIterations ?? DEFAULT_LIMITS.maxToolIterations,
    maxToolCallsPerTurn: limits?.maxToolCallsPerTurn ?? DEFAULT_LIMITS.maxToolCallsPerTurn,
    maxWallTimeMs: limits?.maxWallTimeMs ?? DEFAULT_LIMITS.maxWallTimeMs,
    maxToolCostUsd: limits?.maxToolCostUsd ?? DEFAULT_LIMITS.maxToolCostUsd,
    maxToolResultTokens: limits?.maxToolResultTokens ?? DEFAULT_LIMITS.maxToolResultTokens,
    maxSameToolRetries: limits?.maxSameToolRetries ?? DEFAULT_LIMITS.maxSameToolRetries,
    maxCostUsd: limits?.maxCostUsd ?? DEFAULT_LIMITS.maxCostUsd,
    maxTotalTokens: limits?.maxTotalTokens ?? DEFAULT_LIMITS.maxTotalTokens,
  };
}

/**
 * Returns the agent's limits, lowered to those that an execution requests. A requested limit that is higher than the
 * agent's has no effect.
 */
export function lowerLimits(saved: PartialLimits, wish: PartialLimits | undefined): Limits {
  const agent = withDefaultLimits(saved);
  return {
    maxToolIterations: lower(agent.maxToolIterations, wish?.maxToolIterations),
    maxToolCallsPerTurn: lower(agent.maxToolCallsPerTurn, wish?.maxToolCallsPerTurn),
    maxWallTimeMs: lower(agent.maxWallTimeMs, wish?.maxWallTimeMs),
    maxToolCostUsd: lowerOrNone(agent.maxToolCostUsd, wish?.maxToolCostUsd),
    maxToolResultTokens: lower(agent.maxToolResultTokens, wish?.maxToolResultTokens),
    maxSameToolRetries: lower(agent.maxSameToolRetries, wish?.maxSameToolRetries),
    maxCostUsd: lowerOrNone(agent.maxCostUsd, wish?.maxCostUsd),
    maxTotalTokens: lowerOrNone(agent.maxTotalTokens, wish?.maxTotalTokens),
  };
}

function lower(limit: number, wish: number | undefined): number {
  return wish === undefined ? limit : Math.min(limit, wish);
}

/** Returns the lower limit. Null means no limit. */
function lowerOrNone(limit: number | null, wish: number | null | undefined): number | null {
  if (wish === undefined || wish === null) return limit;
  return limit === null ? wish : Math.min(limit, wish);
}
