import * as z from "zod";

/** A failed tool call, as the log and onToolError see it. The model sees all but `developerMessage`. */
export const toolErrorSchema = z
  .looseObject({
    /** One of {@link ERROR_TABLE}'s codes when `source` is `gateway`; any string when it is `handler`. */
    code: z.string(),
    /** Safe for the model. */
    message: z.string(),
    hint: z.string().optional(),
    retryable: z.boolean(),
    /** `none`: it never left, or an error came back whole. `unknown`: it may have happened. */
    outcome: z.enum(["none", "unknown"]),
    /** Who says so. Whatever decides looks here first: a handler may answer any code. */
    source: z.enum(["gateway", "handler"]),
    toolName: z.string(),
    toolCallId: z.string(),
    attempts: z.int().min(0),
    details: z.unknown().optional(),
    developerMessage: z.string().optional(),
  })
  .meta({ id: "ToolError" });

export type ToolErrorRecord = z.infer<typeof toolErrorSchema>;
