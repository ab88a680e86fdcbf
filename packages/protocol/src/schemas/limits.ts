import * as z from "zod";

/** Most tool calls of one model turn, whatever the limits: a turn of more has failed. */
export const MAX_CALLS_PER_TURN = 1_000;

/** The limits of an execution that nobody lowered. */
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

/** Bounds of an execution; reaching one ends the run with an explanation. */
export const limitsSchema = z
  .strictObject({
    /** Model turns that may call tools. */
    maxToolIterations: z.int().min(0).max(1_000),
    /** Calls of one turn; those past it are answered BUDGET_EXCEEDED, the others run. */
    maxToolCallsPerTurn: z.int().min(1).max(MAX_CALLS_PER_TURN),
    /** Time spent running, in ms; waiting does not count. */
    maxWallTimeMs: z.int().min(1).max(86_400_000),
    maxToolCostUsd: z.number().min(0).nullable(),
    /** Tokens of tool results given to the model, estimated, over the whole execution. */
    maxToolResultTokens: z.int().min(1).max(100_000_000),
    /** Turns in which the model may try a tool again after it failed. */
    maxSameToolRetries: z.int().min(0).max(1_000),
    /** Of the whole execution, models included. Checked before each model turn, so one turn may pass it. */
    maxCostUsd: z.number().min(0).nullable(),
    /** Tokens read and written by models in the whole execution. Checked before each model turn, so one turn may pass it. */
    maxTotalTokens: z.int().min(1).max(1_000_000_000_000).nullable(),
  })
  .meta({ id: "Limits" });

export type Limits = z.infer<typeof limitsSchema>;
export const limitNameSchema = limitsSchema.keyof();
export type LimitName = z.infer<typeof limitNameSchema>;

const { maxCostUsd, maxTotalTokens } = limitsSchema.shape;

/** Limits as they were saved; agents and executions of older gateways lack the last two, which then bound nothing. */
export const savedLimitsSchema = z.looseObject({
  ...limitsSchema.shape,
  maxCostUsd: maxCostUsd.optional(),
  maxTotalTokens: maxTotalTokens.optional(),
});

/** Some limits, others by default. */
export const partialLimitsSchema = limitsSchema.partial();
