import * as z from "zod";
import { executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { toolCallStatusSchema } from "./tool-call-record.ts";

/** A tool call without its arguments, its result and its attempts, as `GET /v1/tool-calls` lists it. */
export const toolCallSummarySchema = openResponse(
  z.looseObject({
    id: toolCallIdSchema,
    executionId: executionIdSchema,
    /** The name of the tool; `(unknown)` if the agent has no tool with the requested name. */
    name: z.string(),
    status: toolCallStatusSchema,
    /** The code of the error; null if there is none. */
    code: z.string().nullable(),
    requestedAt: timestampSchema,
    finishedAt: timestampSchema.nullable(),
  }),
).meta({ id: "ToolCallSummary" });
export type ToolCallSummary = z.infer<typeof toolCallSummarySchema>;

const MAX_FILTER_LENGTH = 256;

/** The filters of `GET /v1/tool-calls`. */
export const toolCallFilterSchema = z.strictObject({
  status: toolCallStatusSchema.optional(),
  /** The name of the tool. */
  tool: z.string().min(1).max(MAX_FILTER_LENGTH).optional(),
  /** The code of the error. */
  code: z
    .string()
    .regex(/^[A-Za-z0-9_.()-]{1,64}$/)
    .optional(),
});
