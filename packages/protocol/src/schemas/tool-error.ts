import * as z from "zod";

/**
 * The error of a tool call, as the event log and `onToolError` contain it. The model reads everything except
 * `developerMessage`.
 */
export const toolErrorSchema = z
  .looseObject({
    /** A code from {@link ERROR_TABLE} if `source` is `gateway`; any string if it is `handler`. */
    code: z.string(),
    /** The message, which is safe to show to the model. */
    message: z.string(),
    hint: z.string().optional(),
    retryable: z.boolean(),
    /**
     * `none`: the call was not sent, or a complete error response arrived. `unknown`: an attempt may have taken effect.
     */
    outcome: z.enum(["none", "unknown"]),
    /** Where the error comes from. Check it before the code, because a handler may return any code. */
    source: z.enum(["gateway", "handler"]),
    toolName: z.string(),
    toolCallId: z.string(),
    attempts: z.int().min(0),
    details: z.unknown().optional(),
    developerMessage: z.string().optional(),
  })
  .meta({ id: "ToolError" });

export type ToolErrorRecord = z.infer<typeof toolErrorSchema>;
