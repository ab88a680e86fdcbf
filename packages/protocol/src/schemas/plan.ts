import * as z from "zod";
import { resourceNameSchema } from "./resource-name.ts";

/** The plan of a workspace for which no plan has been set. */
export const DEFAULT_PLAN = "standard";

/**
 * Maximum value of a limit on the number of calls. The value is bounded because the gateway stores every counted call.
 */
export const MAX_LIMITED_CALLS = 1_000;
/** Maximum value of a limit on the size of a response: 50 MB. */
const MAX_RESPONSE_BYTES = 50_000_000;

const calls = z.int().min(1).max(MAX_LIMITED_CALLS);

/** Limits for network tool calls. They apply in addition to all other limits. */
export const callLimitsSchema = z.strictObject({
  /** Calls in one execution: 1 to 1,000. */
  callsPerExecution: calls,
  /** Calls in the workspace within any 60 seconds: 1 to 1,000. */
  callsPerMinute: calls,
  /** Bytes of a response body after decompression: 1 to 50,000,000. */
  responseBytes: z.int().min(1).max(MAX_RESPONSE_BYTES),
});
export type CallLimits = z.infer<typeof callLimitsSchema>;

/** A quota is a whole number from 0 to 2^53 - 1; null: unlimited. */
const quota = z.int().min(0).nullable();

/**
 * What a workspace may store or do at the same time. When a quota is reached, only new resources or requests are
 * rejected.
 */
export const quotasSchema = z.strictObject({
  /** Agents that are not archived. */
  agents: quota,
  /** Workspace tools that are not archived. */
  tools: quota,
  secrets: quota,
  /** Executions that have not ended. */
  pendingExecutions: quota,
  /** Stored bytes of executions, agents and workspace tools. */
  storedBytes: quota,
  /** Open event streams on one replica. */
  eventStreams: quota,
  /** Open event streams for one execution on one replica. */
  eventStreamsPerExecution: quota,
  /** Requests per second on one replica. */
  requestsPerSecond: quota,
  /** Bytes of request bodies that one replica is receiving or processing. */
  requestBytesInFlight: quota,
});
export type Quotas = z.infer<typeof quotasSchema>;
/** The name of a quota. */
export type QuotaName = keyof Quotas;

/** The limits, costs and quotas of a plan. */
export const planSchema = callLimitsSchema.extend({
  /** Credits for a call that used a credential: 0 to 1,000,000. */
  creditsPerCall: z.number().min(0).max(1_000_000),
  ...quotasSchema.shape,
});
export type Plan = z.infer<typeof planSchema>;

/** The quotas of the default plans. */
const DEFAULT_QUOTAS: Quotas = {
  agents: 1_000,
  tools: 2_000,
  secrets: 1_000,
  pendingExecutions: 10_000,
  storedBytes: 5_368_709_120,
  eventStreams: 100,
  eventStreamsPerExecution: 10,
  requestsPerSecond: 200,
  requestBytesInFlight: 67_108_864,
};

/** The plans that every gateway has. An operator may change their values and add plans. */
export const DEFAULT_PLANS = {
  standard: {
    callsPerExecution: 20,
    callsPerMinute: 10,
    responseBytes: 500_000,
    creditsPerCall: 0.5,
    ...DEFAULT_QUOTAS,
  },
  pro: {
    callsPerExecution: 50,
    callsPerMinute: 20,
    responseBytes: 2_000_000,
    creditsPerCall: 0.5,
    ...DEFAULT_QUOTAS,
  },
} as const satisfies Record<string, Plan>;

/** The name of a plan: 1 to 64 characters from `a-z 0-9 _ -`, starting with a letter. */
export const planNameSchema = resourceNameSchema;
