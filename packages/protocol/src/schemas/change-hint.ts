import * as z from "zod";
import { executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** What changed in an execution. Clients must ignore unknown types. */
const changeHintTypeSchema = z.enum([
  "execution.changed",
  "tool_call.changed",
  "approval.changed",
  "input_request.changed",
]);
export type ChangeHintType = z.infer<typeof changeHintTypeSchema>;

/**
 * An event of `GET /v1/events`: something has changed, so lists and pages that contain it should be read again. It
 * contains no data, and earlier hints are never sent again.
 */
export const changeHintSchema = z
  .looseObject({
    type: z.string(),
    /** The execution that has changed, or to which the tool call, the approval or the input request belongs. */
    id: executionIdSchema,
    /** The number of the last event of the execution. */
    seq: z.int().min(1),
    at: timestampSchema,
  })
  .meta({ id: "ChangeHint" });
export type ChangeHint = z.infer<typeof changeHintSchema>;
