import * as z from "zod";
import { timestampSchema } from "./json.ts";
import { costSchema, tokenUsageSchema } from "./usage.ts";

/** Most questions that one tool call may ask of a model. */
export const MAX_MODEL_CALLS = 200;

/** How an answer of a model ended. `length`: it was cut off. */
export const finishReasonSchema = z.enum(["stop", "tool_calls", "length", "refused", "error", "other"]);

/** What a provider said of its answer: its id, and the model that gave it. Each is absent where nothing was said. */
export const modelResponseSchema = z.looseObject({ id: z.string().optional(), model: z.string().optional() });
export type ModelResponse = z.infer<typeof modelResponseSchema>;

/** A question that a tool asked of the agent's model. What was asked and what was said is not kept. */
export const modelCallSchema = z
  .looseObject({
    /** As the agent has it. */
    model: z.string(),
    startedAt: timestampSchema,
    /** Repeats and the pauses between them included. */
    durationMs: z.number().min(0),
    /** Requests that it took; more than 1 where the provider had to be asked again. */
    requests: z.int().min(0),
    /** Of all of them. */
    usage: tokenUsageSchema,
    cost: costSchema,
    /** How the answer ended; absent where there was none. */
    finishReason: finishReasonSchema.optional(),
    response: modelResponseSchema.optional(),
    /** Why there was no answer; `CANCELLED`: nobody waited for it any more. */
    error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: "ModelCall" });
export type ModelCall = z.infer<typeof modelCallSchema>;

/** The questions of one call, in the order in which they were asked. */
export const modelCallsSchema = z.array(modelCallSchema).max(MAX_MODEL_CALLS);
