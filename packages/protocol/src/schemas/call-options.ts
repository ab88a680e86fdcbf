import * as z from "zod";
import { MAX_CALLS_PER_TURN } from "./limits.ts";
import { toolNameSchema } from "./names.ts";
import { projectionSchema } from "./projection.ts";
import { approvalModeSchema, riskClassSchema, sideEffectSchema } from "./side-effect.ts";

/** Bound of one attempt of a signed call, from DNS to the last body byte, in ms. */
export const DEFAULT_TOOL_TIMEOUT_MS = 10_000;
/** The same of a request that a network tool makes. */
export const DEFAULT_NETWORK_TIMEOUT_MS = 30_000;
export const MAX_TOOL_TIMEOUT_MS = 600_000;
/** Most further attempts after the first. */
export const MAX_TOOL_RETRIES = 10;
/** Most tools that one may depend on. */
const MAX_DEPENDENCIES = 32;

/** What authors of every kind of tool say of its calls. */
export const callOptionFields = {
  /** Bound of one attempt, in ms: 1 to 600 000; default 10 000, of network tools 30 000. */
  timeout: z.int().min(1).max(MAX_TOOL_TIMEOUT_MS).optional(),
  /** Further attempts: 0 to 10, default 0. */
  retries: z.int().min(0).max(MAX_TOOL_RETRIES).optional(),
  sideEffect: sideEffectSchema.optional(),
  risk: riskClassSchema.optional(),
  approval: approvalModeSchema.optional(),
  /** What of its results a model reads; default all of it, up to 50 000 characters. */
  projection: projectionSchema.optional(),
  usageNotes: z.string().max(4_000).optional(),
  /** Calls of this tool in one turn; those past it are answered BUDGET_EXCEEDED, the others run. */
  maxCallsPerTurn: z.int().min(1).max(MAX_CALLS_PER_TURN).optional(),
  /**
   * The resource that a call works on, as `order:${orderId}`: 1 to 500 characters, with parameters of the tool in
   * `${}` and `$${` for a plain `${`. Writes to one resource run in the model's order, and no read runs beside them.
   */
  resourceKey: z.string().min(1).max(500).optional(),
  /** Tools of the agent that must have completed before: after their calls of this turn, else DEPENDENCY_FAILED. */
  dependsOn: z.array(toolNameSchema).max(MAX_DEPENDENCIES).optional(),
  /** Only calls of one group are on their way together; groups take turns in the model's order. */
  parallelGroup: z.string().min(1).max(64).optional(),
} as const;
