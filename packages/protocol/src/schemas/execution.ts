import * as z from "zod";
import { sourceSchema } from "./hosted-call.ts";
import { agentIdSchema, executionIdSchema } from "./ids.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";
import { MAX_CALLS_PER_TURN, partialLimitsSchema } from "./limits.ts";
import { openResponse } from "./open-response.ts";
import { costSchema, usageSchema } from "./usage.ts";

/** Largest `caller`, in bytes of JSON. */
export const MAX_CALLER_BYTES = 4_096;
/** Largest `metadata`, in bytes of JSON. */
export const MAX_METADATA_BYTES = 16_384;
export const DEFAULT_FALLBACK_WAIT_MS = 30_000;

const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** One message of a conversation that came before. */
export const inputMessageSchema = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z.string().min(1).max(1_000_000),
});

/** What the agent is asked: a question, or a conversation that ends with one. */
export const executionInputSchema = z.union([
  z.string().min(1).max(1_000_000),
  z
    .array(inputMessageSchema)
    .min(1)
    .max(1_000)
    .refine((messages) => messages.at(-1)?.role === "user", "expected the last message to be the user's"),
]);

/** What a `scripted/turns` model plays: one entry of `turns` a model turn. */
export const scriptSchema = z.strictObject({
  turns: z
    .array(
      z.strictObject({
        text: z.string().optional(),
        toolCalls: z
          .array(z.strictObject({ name: z.string(), parameters: jsonObjectSchema }))
          .max(MAX_CALLS_PER_TURN)
          .optional(),
        /** `length`: the turn ends at the model's length limit, so none of its calls runs. Default: it is complete. */
        finishReason: z.literal("length").optional(),
      }),
    )
    .min(1)
    .max(1_000),
  /** What it answers when tools ask it, in the order of their questions; without it they can't ask. */
  answers: z.array(z.string()).max(1_000).optional(),
});

/** The body of `POST /v1/agents/:id/executions`. */
export const createExecutionSchema = z
  .strictObject({
    input: executionInputSchema,
    /** Can only lower the agent's. */
    limits: partialLimitsSchema.optional(),
    /** `required` holds for the first turn, so that the run can end. */
    toolChoice: z.enum(["auto", "required", "forbidden"]).optional(),
    scopes: z.array(z.string().min(1).max(200)).max(100).optional(),
    /** Copied into every signed call, never shown to the model; at most 4 KiB. */
    caller: jsonObjectSchema
      .refine((caller) => jsonBytes(caller) <= MAX_CALLER_BYTES, `expected at most ${MAX_CALLER_BYTES} bytes of JSON`)
      .optional(),
    /** Says that the caller answers failed tool calls; each is held for `waitMs` (1 to 600 000, default 30 000). */
    fallback: z.strictObject({ waitMs: z.int().min(1).max(600_000).default(DEFAULT_FALLBACK_WAIT_MS) }).optional(),
    script: scriptSchema.optional(),
    metadata: jsonObjectSchema
      .refine((data) => jsonBytes(data) <= MAX_METADATA_BYTES, `expected at most ${MAX_METADATA_BYTES} bytes of JSON`)
      .optional(),
  })
  .meta({ id: "CreateExecution" });

export const executionStatusSchema = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled"]);
export type ExecutionStatus = z.infer<typeof executionStatusSchema>;

/**
 * Why an execution ended; a limit's name when a limit ended it. `truncated`: the model's answer was cut off at its length
 * limit; `empty`: the model ended without a word.
 */
export const stopReasonSchema = z.enum([
  "final",
  "refused",
  "truncated",
  "empty",
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

/** What an execution came to. */
export const executionOutputSchema = z.looseObject({
  text: z.string(),
  /** Pages and documents that the model's provider names as sources, each once; absent where there are none. */
  sources: z.array(sourceSchema).optional(),
});

/** Why an execution, or a request to its model, failed. */
export const executionErrorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  /** Why a model's reply could not be read: what was expected where, and nothing of what it says. */
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
    createdAt: timestampSchema,
    startedAt: timestampSchema.nullable(),
    finishedAt: timestampSchema.nullable(),
  }),
).meta({ id: "Execution" });

export type CreateExecution = z.input<typeof createExecutionSchema>;
/** The same after defaults were filled in. */
export type ExecutionRequest = z.output<typeof createExecutionSchema>;
export type ExecutionError = z.infer<typeof executionErrorSchema>;
export type Execution = z.infer<typeof executionSchema>;
export type ExecutionInput = z.infer<typeof executionInputSchema>;
export type Script = z.infer<typeof scriptSchema>;

/** Whether nothing will happen to an execution any more, as far as its status is a known one. */
export function hasEnded(status: string): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
