import { executionRecordingSchema } from "@yagate/protocol";
import * as z from "zod";
import type { createRecordingExport } from "../../executions/recording/recording-export.ts";
import { defineRoute, type Route } from "../route.ts";

const INCLUDED = ["input", "caller", "metadata"];

const querySchema = z.strictObject({
  /** What else the response contains, separated by commas: `input`, `caller`, `metadata`. */
  include: z
    .string()
    .regex(/^(input|caller|metadata)(,(input|caller|metadata))*$/, `expected a list of ${INCLUDED.join(", ")}`)
    .optional(),
});

export function recordingRoutes(exportRecording: ReturnType<typeof createRecordingExport>): readonly Route[] {
  return [
    defineRoute({
      name: "getRecording",
      method: "get",
      path: "/v1/executions/:id/recording",
      summary: "Get the recording of an execution",
      description:
        "Returns the replies of the model and the outcomes of the tool calls of an execution that has ended, in the form of the field `recording` of a new execution. The secrets of the workspace are masked. The input, the caller and the metadata are only included on request.",
      tag: "executions",
      scopes: ["executions"],
      query: querySchema,
      isLargeRead: true,
      problems: ["CONFLICT"],
      status: 200,
      response: executionRecordingSchema,
      handle: async ({ principal, params, query }) => ({
        status: 200,
        body: await exportRecording(
          principal.workspaceId,
          params["id"] ?? "",
          new Set((query.include ?? "").split(",")),
        ),
      }),
    }),
  ];
}
