import * as z from "zod";
import { MAX_CALLS_PER_TURN } from "./limits.ts";
import { toolNameSchema } from "./names.ts";
import { projectionSchema } from "./projection.ts";
import { approvalModeSchema, riskClassSchema, sideEffectSchema } from "./side-effect.ts";

/** Default time limit of one attempt of a signed call in ms, from DNS to the last byte of the body. */
export const DEFAULT_TOOL_TIMEOUT_MS = 10_000;
/** Default time limit of one attempt of a network tool, in ms. */
export const DEFAULT_NETWORK_TIMEOUT_MS = 30_000;
export const MAX_TOOL_TIMEOUT_MS = 600_000;
/** Maximum number of retries. */
export const MAX_TOOL_RETRIES = 10;
/** Maximum number of tools in `dependsOn`. */
const MAX_DEPENDENCIES = 32;

/** Options of calls that every kind of tool has. */
export const callOptionFields = {
  /** Time limit of one attempt in ms: 1 to 600 000; default 10 000, for network tools 30 000. */
  timeout: z.int().min(1).max(MAX_TOOL_TIMEOUT_MS).optional(),
  /** Attempts after the first: 0 to 10, default 0. */
  retries: z.int().min(0).max(MAX_TOOL_RETRIES).optional(),
  sideEffect: sideEffectSchema.optional(),
  risk: riskClassSchema.optional(),
  approval: approvalModeSchema.optional(),
  /** The part of its results that a model reads. Default: all of it, up to 50 000 characters. */
  projection: projectionSchema.optional(),
  usageNotes: z.string().max(4_000).optional(),
  /** Calls of this tool in one model turn. Further calls end with BUDGET_EXCEEDED; the others run. */
  maxCallsPerTurn: z.int().min(1).max(MAX_CALLS_PER_TURN).optional(),
  /**
   * The resource that a call uses, such as `order:${orderId}`: 1 to 500 characters, with parameters of the tool in
   * `${}` and `$${` for a literal `${`. Writes to one resource run in the model's order, and no read runs beside them.
   */
  resourceKey: z.string().min(1).max(500).optional(),
  /**
   * Tools of the agent whose calls in this model turn must complete first; otherwise the call ends with
   * DEPENDENCY_FAILED.
   */
  dependsOn: z.array(toolNameSchema).max(MAX_DEPENDENCIES).optional(),
  /** Calls of different groups never run at the same time. Groups run in the model's order. */
  parallelGroup: z.string().min(1).max(64).optional(),
} as const;
