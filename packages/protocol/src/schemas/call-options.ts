import * as z from "zod";
import { declaredOptionFields } from "./declared-options.ts";
import { MAX_CALLS_PER_TURN } from "./limits.ts";
import { projectionSchema } from "./projection.ts";
import { approvalModeSchema } from "./side-effect.ts";
import { toolNameSchema } from "./tool-name.ts";

/** Default time limit of one attempt of a signed call in ms, from DNS to the last byte of the body. */
export const DEFAULT_TOOL_TIMEOUT_MS = 10_000;
/** Default time limit of one attempt of a network tool call, in ms. */
export const DEFAULT_NETWORK_TIMEOUT_MS = 30_000;
/** Maximum number of retries of one tool call. */
export const MAX_TOOL_RETRIES = 10;
/** Maximum number of tools in `dependsOn`. */
const MAX_DEPENDENCIES = 32;

const { timeout, sideEffect, risk, usageNotes, language } = declaredOptionFields;

/** Options for calls that all kinds of tools share. */
export const callOptionFields = {
  timeout,
  /** Maximum number of attempts after the first: 0 to 10, default 0. */
  retries: z.int().min(0).max(MAX_TOOL_RETRIES).optional(),
  sideEffect,
  risk,
  approval: approvalModeSchema.optional(),
  /** The part of the tool's results that the model reads. Default: the complete result, up to 50,000 characters. */
  projection: projectionSchema.optional(),
  usageNotes,
  language,
  /**
   * Maximum number of calls to this tool in one model turn. Calls beyond it end with BUDGET_EXCEEDED; the others run.
   */
  maxCallsPerTurn: z.int().min(1).max(MAX_CALLS_PER_TURN).optional(),
  /**
   * The resource that a call uses: 1 to 500 characters, such as `order:${orderId}`. `${name}` stands for the value of a
   * parameter of the tool, and `$${` for a literal `${`. Writes to the same resource run one at a time, in the order in
   * which the model requested them, and never at the same time as a read.
   */
  resourceKey: z.string().min(1).max(500).optional(),
  /**
   * Other tools of the agent. If the model calls them in the same model turn, those calls must complete first;
   * otherwise, the call to this tool ends with DEPENDENCY_FAILED.
   */
  dependsOn: z.array(toolNameSchema).max(MAX_DEPENDENCIES).optional(),
  /**
   * The group that calls to this tool belong to. Calls in different groups never run at the same time. Groups run in
   * the order in which the model requested their first calls.
   */
  parallelGroup: z.string().min(1).max(64).optional(),
} as const;
