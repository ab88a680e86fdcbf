import * as z from "zod";
import { executionInputSchema } from "./execution.ts";
import { executionIdSchema } from "./ids.ts";
import { jsonObjectSchema } from "./json.ts";
import { openDefinition, openResponse } from "./open-response.ts";
import { recordingSchema } from "./recording.ts";

/** A recording as the gateway exports it. Requests take it as it is. */
const exportedRecordingSchema = openDefinition(z.looseObject(recordingSchema.shape)).meta({ id: "ExportedRecording" });

/**
 * The recording of an execution that has ended: the response of `GET /v1/executions/:id/recording`. Secrets of the
 * workspace are masked as `***NAME***`.
 */
export const executionRecordingSchema = z
  .looseObject({
    executionId: executionIdSchema,
    recording: exportedRecordingSchema,
    /** The input, if the request asked for it; the same applies to `caller` and `metadata`. */
    input: openResponse(executionInputSchema).optional(),
    caller: jsonObjectSchema.optional(),
    metadata: jsonObjectSchema.optional(),
  })
  .meta({ id: "ExecutionRecording" });
export type ExecutionRecording = z.infer<typeof executionRecordingSchema>;
