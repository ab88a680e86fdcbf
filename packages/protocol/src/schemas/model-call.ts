import * as z from "zod";
import { timestampSchema } from "./json.ts";
import { costSchema, tokenUsageSchema } from "./usage.ts";

/** Maximum number of model calls that one tool call may make. */
export const MAX_MODEL_CALLS = 200;

/** How a model's reply ended. `length`: it was cut off. */
export const finishReasonSchema = z.enum(["stop", "tool_calls", "length", "refused", "error", "other"]);

/**
 * What a provider reported about its response: the id of the response and the name of the model, each only if reported.
 */
export const modelResponseSchema = z.looseObject({ id: z.string().optional(), model: z.string().optional() });
export type ModelResponse = z.infer<typeof modelResponseSchema>;

/** A model call that a tool made. Its prompt and reply are not stored. */
export const modelCallSchema = z
  .looseObject({
    /** The agent's `model`. */
    model: z.string(),
    startedAt: timestampSchema,
    /** Duration in ms, including retries and the pauses between them. */
    durationMs: z.number().min(0),
    /** Number of requests, including retries. */
    requests: z.int().min(0),
    /** Token usage of all requests. */
    usage: tokenUsageSchema,
    cost: costSchema,
    /** How the reply ended; absent if there was no reply. */
    finishReason: finishReasonSchema.optional(),
    response: modelResponseSchema.optional(),
    /** Why there was no reply. `CANCELLED`: the model call was aborted. */
    error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: "ModelCall" });
export type ModelCall = z.infer<typeof modelCallSchema>;

/** The model calls that one tool call made, in order. */
export const modelCallsSchema = z.array(modelCallSchema).max(MAX_MODEL_CALLS);
