import * as z from "zod";
import { sourceSchema } from "./hosted-call.ts";
import { agentIdSchema, executionIdSchema } from "./ids.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";
import { MAX_CALLS_PER_TURN, partialLimitsSchema } from "./limits.ts";
import { openResponse } from "./open-response.ts";
import { recordingSchema } from "./recording.ts";
import { executionRoutingSchema } from "./routing.ts";
import { costSchema, usageSchema } from "./usage.ts";

/** Maximum size of `caller`, in bytes of JSON. */
export const MAX_CALLER_BYTES = 4_096;
/** Maximum size of `metadata`, in bytes of JSON. */
export const MAX_METADATA_BYTES = 16_384;
export const DEFAULT_FALLBACK_WAIT_MS = 30_000;

const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** One message of a conversation. */
export const inputMessageSchema = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z.string().min(1).max(1_000_000),
});

/** The input of an execution: a question, or a conversation whose last message is the question. */
export const executionInputSchema = z.union([
  z.string().min(1).max(1_000_000),
  z
    .array(inputMessageSchema)
    .min(1)
    .max(1_000)
    .refine((messages) => messages.at(-1)?.role === "user", "expected the last message to have the role user"),
]);

/** The script of a `scripted/turns` model: one entry of `turns` per model turn. */
export const scriptSchema = z.strictObject({
  turns: z
    .array(
      z.strictObject({
        text: z.string().optional(),
        toolCalls: z
          .array(z.strictObject({ name: z.string(), parameters: jsonObjectSchema }))
          .max(MAX_CALLS_PER_TURN)
          .optional(),
        /**
         * `length`: the model turn ends at the length limit, so none of its tool calls run. Default: the model turn is
         * complete.
         */
        finishReason: z.literal("length").optional(),
      }),
    )
    .min(1)
    .max(1_000),
  /** Replies to the model calls of tools, in order. If there are no replies left, such a call fails. */
  answers: z.array(z.string()).max(1_000).optional(),
});

/** The body of `POST /v1/agents/:id/executions`. */
export const createExecutionSchema = z
  .strictObject({
    input: executionInputSchema,
    /** Limits for this execution. They can only lower the agent's limits; higher values have no effect. */
    limits: partialLimitsSchema.optional(),
    /**
     * Whether the model may or must use tools. `required` applies only to the first model turn, so that the execution
     * can end.
     */
    toolChoice: z.enum(["auto", "required", "forbidden"]).optional(),
    /** The same as `routing.scopes`. If both are given, they must contain the same scopes. */
    scopes: z.array(z.string().min(1).max(200)).max(100).optional(),
    routing: executionRoutingSchema.optional(),
    /** Data that is copied into every signed request and never shown to the model; at most 4 KiB of JSON. */
    caller: jsonObjectSchema
      .refine((caller) => jsonBytes(caller) <= MAX_CALLER_BYTES, `expected at most ${MAX_CALLER_BYTES} bytes of JSON`)
      .optional(),
    /** Makes the gateway hold each failed tool call for a fallback, for `waitMs` (1 to 600,000, default 30,000). */
    fallback: z.strictObject({ waitMs: z.int().min(1).max(600_000).default(DEFAULT_FALLBACK_WAIT_MS) }).optional(),
    script: scriptSchema.optional(),
    /**
     * The replies and outcomes that the execution uses instead of requests: nothing leaves the gateway. Only for keys
     * with `routing.recordings`.
     */
    recording: recordingSchema.optional(),
    metadata: jsonObjectSchema
      .refine((data) => jsonBytes(data) <= MAX_METADATA_BYTES, `expected at most ${MAX_METADATA_BYTES} bytes of JSON`)
      .optional(),
  })
  .refine(({ scopes, routing }) => scopes === undefined || hasSameScopes(scopes, routing?.scopes), {
    path: ["routing", "scopes"],
    error: "expected the same scopes as in scopes; omit one of the two fields",
  })
  .meta({ id: "CreateExecution" });

function hasSameScopes(scopes: readonly string[], others: readonly string[] | undefined): boolean {
  if (others === undefined) return true;
  const left = new Set(scopes);
  const right = new Set(others);
  return left.size === right.size && [...left].every((scope) => right.has(scope));
}

export const executionStatusSchema = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled"]);
export type ExecutionStatus = z.infer<typeof executionStatusSchema>;

/**
 * Why an execution ended. If it ended at a limit, this is the name of the limit. `truncated`: the reply was cut off at
 * the model's length limit. `empty`: the last reply was empty. `citations_missing`: citations were required, and the
 * reply cites nothing that the execution has found.
 */
export const stopReasonSchema = z.enum([
  "final",
  "refused",
  "truncated",
  "empty",
  "citations_missing",
  "maxToolIterations",
  "maxToolCallsPerTurn",
  "maxWallTimeMs",
  "maxToolCostUsd",
  "maxToolResultTokens",
  "maxSameToolRetries",
  "maxCostUsd",
  "maxTotalTokens",
  "error",
  "cancelled",
]);
export type StopReason = z.infer<typeof stopReasonSchema>;

/**
 * `recorded`: no request left the gateway, because the model's replies and the outcomes of tool calls came from a
 * recording. `live`: the execution sent requests.
 */
export const executionModeSchema = z.enum(["live", "recorded"]);
export type ExecutionMode = z.infer<typeof executionModeSchema>;

/** A source that an answer cites. */
export const citationSchema = z
  .looseObject({
    /** The number with which the answer cites the source, as in `[1]`; absent if the answer cites it in another way. */
    id: z.number().optional(),
    url: z.string().optional(),
    artifactId: z.string().optional(),
    title: z.string().optional(),
    /** The passage of the source that shares the most words with the answer, verbatim; absent if there is none. */
    passage: z.string().optional(),
  })
  .meta({ id: "Citation" });
export type Citation = z.infer<typeof citationSchema>;

/** The output of an execution. */
export const executionOutputSchema = z.looseObject({
  text: z.string(),
  /** Pages and documents that the model provider reported as sources, without duplicates; absent if there are none. */
  sources: z.array(sourceSchema).optional(),
  /** What the answer cites; absent unless the execution requires citations. */
  citations: z.array(citationSchema).optional(),
});

/** Why an execution, or a request to its model, failed. */
export const executionErrorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  /** Why the gateway could not read the model's reply: what it expected and where, without the reply itself. */
  developerMessage: z.string().optional(),
});

/** One run of an agent. */
export const executionSchema = openResponse(
  z.looseObject({
    id: executionIdSchema,
    agentId: agentIdSchema,
    agentVersion: z.int().min(1),
    status: executionStatusSchema,
    stopReason: stopReasonSchema.nullable(),
    input: executionInputSchema,
    output: executionOutputSchema.nullable(),
    error: executionErrorSchema.nullable(),
    usage: usageSchema,
    cost: costSchema,
    metadata: jsonObjectSchema,
    /** The routing of the execution, within the bounds of the API key. Absent if neither restricts anything. */
    routing: z.looseObject(executionRoutingSchema.shape).optional(),
    createdAt: timestampSchema,
    startedAt: timestampSchema.nullable(),
    finishedAt: timestampSchema.nullable(),
    // Older gateways have no recordings.
    mode: executionModeSchema.default("live"),
    /** The execution that this one replays; absent if it is not a replay. */
    replayOf: executionIdSchema.optional(),
    /** The number of model turns at the start that are copied from `replayOf`; absent if there are none. */
    copiedTurns: z.int().min(1).optional(),
  }),
).meta({ id: "Execution" });

export type CreateExecution = z.input<typeof createExecutionSchema>;
/** The request after defaults have been filled in. */
export type ExecutionRequest = z.output<typeof createExecutionSchema>;
export type ExecutionError = z.infer<typeof executionErrorSchema>;
export type Execution = z.infer<typeof executionSchema>;
export type ExecutionInput = z.infer<typeof executionInputSchema>;
export type Script = z.infer<typeof scriptSchema>;

/** Checks whether an execution with this status has ended. Returns false for unknown statuses. */
export function hasEnded(status: string): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
