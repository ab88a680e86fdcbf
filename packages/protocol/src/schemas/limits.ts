import * as z from "zod";

/**
 * Maximum number of tool calls in one model turn, whatever the configured limits are. A model turn with more calls
 * fails.
 */
export const MAX_CALLS_PER_TURN = 1_000;

/** The default limits of an agent. */
export const DEFAULT_LIMITS = {
  maxToolIterations: 8,
  maxToolCallsPerTurn: 20,
  maxWallTimeMs: 300_000,
  maxToolCostUsd: null,
  maxToolResultTokens: 50_000,
  maxSameToolRetries: 2,
  maxCostUsd: null,
  maxTotalTokens: null,
} as const satisfies Limits;

/**
 * Limits on an execution. An execution that reaches a limit ends with an explanation. The exception is
 * `maxToolCallsPerTurn`, which only ends the calls beyond it.
 */
export const limitsSchema = z
  .strictObject({
    /** Maximum number of model turns that may call tools. */
    maxToolIterations: z.int().min(0).max(1_000),
    /** Maximum number of tool calls in one model turn. Calls beyond it end with BUDGET_EXCEEDED; the others run. */
    maxToolCallsPerTurn: z.int().min(1).max(MAX_CALLS_PER_TURN),
    /** Running time in ms, excluding the time during which the execution waits. */
    maxWallTimeMs: z.int().min(1).max(86_400_000),
    maxToolCostUsd: z.number().min(0).nullable(),
    /** Estimated tokens of all tool results that the model reads during the execution. */
    maxToolResultTokens: z.int().min(1).max(100_000_000),
    /** Number of model turns in which the model may call a tool again after it failed. */
    maxSameToolRetries: z.int().min(0).max(1_000),
    /**
     * Cost of the execution in US dollars, including models. It is checked before each model turn, so a single model
     * turn may exceed the limit.
     */
    maxCostUsd: z.number().min(0).nullable(),
    /**
     * Tokens that models read and write during the execution. They are counted before each model turn, so a single
     * model turn may exceed the limit.
     */
    maxTotalTokens: z.int().min(1).max(1_000_000_000_000).nullable(),
  })
  .meta({ id: "Limits" });

export type Limits = z.infer<typeof limitsSchema>;
export const limitNameSchema = limitsSchema.keyof();
export type LimitName = z.infer<typeof limitNameSchema>;

const { maxCostUsd, maxTotalTokens } = limitsSchema.shape;

/** Saved limits. Those saved by older gateways lack the last two, which then do not apply. */
export const savedLimitsSchema = z.looseObject({
  ...limitsSchema.shape,
  maxCostUsd: maxCostUsd.optional(),
  maxTotalTokens: maxTotalTokens.optional(),
});

/** Limits, each of which may be omitted. */
export const partialLimitsSchema = limitsSchema.partial();
