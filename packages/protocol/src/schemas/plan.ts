import * as z from "zod";
import { resourceNameSchema } from "./names.ts";

/** The plan of a workspace without a plan of its own. */
export const DEFAULT_PLAN = "standard";

/** Maximum number of calls that a limit may count, so that each of them can be stored. */
export const MAX_LIMITED_CALLS = 1_000;
/** Maximum size of a response that a limit may allow: 50 MB. */
const MAX_RESPONSE_BYTES = 50_000_000;

const calls = z.int().min(1).max(MAX_LIMITED_CALLS);

/** Limits for the calls of network tools. They apply in addition to all other limits. */
export const callLimitsSchema = z.strictObject({
  /** Calls of one execution: 1 to 1 000. */
  callsPerExecution: calls,
  /** Calls of the workspace in any 60 seconds: 1 to 1 000. */
  callsPerMinute: calls,
  /** Size of a response's body after decompression: 1 to 50 000 000. */
  responseBytes: z.int().min(1).max(MAX_RESPONSE_BYTES),
});
export type CallLimits = z.infer<typeof callLimitsSchema>;

/** A quota is a whole number from 0 to 2^53 - 1; null: unlimited. */
const quota = z.int().min(0).nullable();

/** How much a workspace may have at the same time. A quota rejects only what is new. */
export const quotasSchema = z.strictObject({
  /** Agents that are not archived. */
  agents: quota,
  /** Workspace tools that are not archived. */
  tools: quota,
  secrets: quota,
  /** Executions that have not ended. */
  pendingExecutions: quota,
  /** Bytes of executions, agents and workspace tools that are stored. */
  storedBytes: quota,
  /** Open event streams, on each replica. */
  eventStreams: quota,
  /** Open event streams of one execution, on each replica. */
  eventStreamsPerExecution: quota,
  /** Requests in a second, on each replica. */
  requestsPerSecond: quota,
  /** Bytes of request bodies that are being received or processed, on each replica. */
  requestBytesInFlight: quota,
});
export type Quotas = z.infer<typeof quotasSchema>;
/** Name of a quota. */
export type QuotaName = keyof Quotas;

/** The figures of a plan. */
export const planSchema = callLimitsSchema.extend({
  /** Cost of a call that carried a credential: 0 to 1 000 000. */
  creditsPerCall: z.number().min(0).max(1_000_000),
  ...quotasSchema.shape,
});
export type Plan = z.infer<typeof planSchema>;

/** The quotas of the gateway's own plans. */
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

/** The plans of every gateway. An operator may change their figures and add plans. */
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

/** Name of a plan: 1 to 64 of `a-z 0-9 _ -`, starting with a letter. */
export const planNameSchema = resourceNameSchema;
