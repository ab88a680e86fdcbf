import * as z from "zod";
import { hostedCallSchema, sourceSchema } from "./hosted-call.ts";
import { agentIdSchema } from "./ids.ts";
import { jsonValueSchema } from "./json.ts";
import { MAX_CALLS_PER_TURN } from "./limits.ts";
import { finishReasonSchema } from "./model-call.ts";
import { tokenUsageSchema } from "./usage.ts";

/** Maximum number of model turns in a recording. */
export const MAX_RECORDED_TURNS = 1_001;
/** Maximum number of tool results in a recording. */
export const MAX_RECORDED_RESULTS = 10_000;

const textSchema = z.string().max(1_000_000);
/** `sha256:` and 64 lower-case hex digits. */
const hashSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "expected sha256: and the 64 lower-case hex digits of a SHA-256");

/** A reply of the model in a recording. */
export const recordedTurnSchema = z.strictObject({
  text: textSchema.optional(),
  /** The calls that the reply requests, in order. Arguments that were not valid JSON are a string. */
  toolCalls: z
    .array(z.strictObject({ name: textSchema, parameters: jsonValueSchema }))
    .max(MAX_CALLS_PER_TURN)
    .optional(),
  /** Default: `tool_calls` if the reply requests calls, else `stop`. */
  finishReason: finishReasonSchema.exclude(["error"]).optional(),
  /** Calls to tools that the provider ran itself. */
  hostedCalls: z.array(z.looseObject(hostedCallSchema.shape)).max(MAX_CALLS_PER_TURN).optional(),
  sources: z.array(z.looseObject(sourceSchema.shape)).max(MAX_CALLS_PER_TURN).optional(),
  /** The tokens of the reply, which count as usage of the execution. Default: none. */
  usage: tokenUsageSchema.optional(),
  /** Why there was no reply: the execution fails with this error. No other field may be set. */
  error: z.strictObject({ code: textSchema.min(1), message: textSchema }).optional(),
});
export type RecordedTurn = z.infer<typeof recordedTurnSchema>;

/** The error of a tool call in a recording. */
export const recordedErrorSchema = z.strictObject({
  code: z.string().min(1).max(200),
  message: textSchema,
  hint: textSchema.optional(),
  details: jsonValueSchema.optional(),
  retryable: z.boolean().default(false),
  outcome: z.enum(["none", "unknown"]).default("none"),
  source: z.enum(["gateway", "handler"]).default("handler"),
});

/** The outcome of one tool call in a recording: exactly one of `result` and `error`. */
export const recordedResultSchema = z.strictObject({
  /** The name of the tool. */
  name: textSchema.min(1),
  /** The hash of the arguments, as {@link argumentsHash} returns it. */
  argumentsHash: hashSchema,
  /** Distinguishes the calls of one tool with equal arguments: 1 for the first that the model requested. */
  occurrence: z.int().min(1).max(MAX_RECORDED_RESULTS),
  result: jsonValueSchema.optional(),
  error: recordedErrorSchema.optional(),
});
export type RecordedResult = z.infer<typeof recordedResultSchema>;

/** The agent that was recorded. */
export const recordedAgentSchema = z.strictObject({
  id: agentIdSchema,
  version: z.int().min(1),
  /**
   * The hash of the parts of the agent that a recording depends on. Equal agents on different gateways have equal
   * hashes.
   */
  hash: hashSchema,
});
export type RecordedAgent = z.infer<typeof recordedAgentSchema>;

/**
 * The replies of the model and the outcomes of the tool calls that an execution uses instead of requests: the field
 * `recording` of `POST /v1/agents/:id/executions`, and `recording` in the response of `GET
 * /v1/executions/:id/recording`.
 */
export const recordingSchema = z
  .strictObject({
    /** If present, the execution is rejected unless the agent has the same hash. */
    agent: recordedAgentSchema.optional(),
    /** The reply of each model turn, in order. */
    modelTurns: z.array(recordedTurnSchema).min(1).max(MAX_RECORDED_TURNS),
    toolResults: z.array(recordedResultSchema).max(MAX_RECORDED_RESULTS).default([]),
  })
  .meta({ id: "Recording" });
export type Recording = z.infer<typeof recordingSchema>;
