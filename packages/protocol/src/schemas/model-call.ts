import * as z from "zod";
import { timestampSchema } from "./json.ts";
import { costSchema, tokenUsageSchema } from "./usage.ts";

/** Maximum number of model calls of one tool call. */
export const MAX_MODEL_CALLS = 200;

/** How a model's reply ended. `length`: it was cut off. */
export const finishReasonSchema = z.enum(["stop", "tool_calls", "length", "refused", "error", "other"]);

/** What a provider reported about its response: its id, and the model. Both are optional. */
export const modelResponseSchema = z.looseObject({ id: z.string().optional(), model: z.string().optional() });
export type ModelResponse = z.infer<typeof modelResponseSchema>;

/** A model call of a tool. Its texts are not stored. */
export const modelCallSchema = z
  .looseObject({
    /** The agent's `model`. */
    model: z.string(),
    startedAt: timestampSchema,
    /** Including retries and the pauses between them. */
    durationMs: z.number().min(0),
    /** Number of requests; more than 1 after retries. */
    requests: z.int().min(0),
    /** Usage of all requests. */
    usage: tokenUsageSchema,
    cost: costSchema,
    /** How the reply ended; absent without a reply. */
    finishReason: finishReasonSchema.optional(),
    response: modelResponseSchema.optional(),
    /** Why there was no reply. `CANCELLED`: the model call was aborted. */
    error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: "ModelCall" });
export type ModelCall = z.infer<typeof modelCallSchema>;

/** The model calls of one tool call, in order. */
export const modelCallsSchema = z.array(modelCallSchema).max(MAX_MODEL_CALLS);
