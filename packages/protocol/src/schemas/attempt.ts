import * as z from "zod";
import { attemptIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

/** How long each step took, in ms; null where it did not happen (a pooled connection has no DNS, connect or TLS). */
export const timingsSchema = z.looseObject({
  dns: z.number().nullable(),
  connect: z.number().nullable(),
  tls: z.number().nullable(),
  firstByte: z.number().nullable(),
});
export type Timings = z.infer<typeof timingsSchema>;

/** An answer that came after its deadline. */
const lateAnswerSchema = z.looseObject({
  at: timestampSchema,
  httpStatus: z.int().optional(),
  /** From sending the attempt to the end of its answer, in ms. */
  elapsedMs: z.number().optional(),
  responseBytes: z.int().min(0).optional(),
});

/** One request of a tool call. */
export const attemptSchema = z
  .looseObject({
    id: attemptIdSchema,
    /** 1 for the first. */
    number: z.int().min(1),
    method: z.string(),
    /** Secrets by their names, as `***NAME***`. */
    url: z.string(),
    /** Name of the secret that went along; several with commas between. */
    credential: z.string().optional(),
    startedAt: timestampSchema,
    /** Null while it runs. */
    durationMs: z.number().nullable(),
    timings: timingsSchema.nullable(),
    httpStatus: z.int().optional(),
    requestBytes: z.int().min(0),
    responseBytes: z.int().min(0),
    errorCode: z.string().optional(),
    outcome: z.enum(["none", "unknown"]).optional(),
    /** What came after the attempt had been given up; it was not used. */
    lateAnswer: lateAnswerSchema.optional(),
  })
  .meta({ id: "Attempt" });
export type Attempt = z.infer<typeof attemptSchema>;

/** What was sent or came back: headers and the body's first 64 KiB as text, secrets redacted. */
export const recordedMessageSchema = z.looseObject({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** The whole body's size in bytes. */
  bodyBytes: z.int().min(0),
  isTruncated: z.boolean(),
});
export type RecordedMessage = z.infer<typeof recordedMessageSchema>;

/** An attempt with its messages, as `GET /v1/attempts/:id` answers; null once they were deleted for their age. */
export const attemptDetailSchema = openResponse(
  attemptSchema.extend({
    toolCallId: toolCallIdSchema,
    executionId: executionIdSchema,
    request: recordedMessageSchema.nullable(),
    response: recordedMessageSchema.nullable(),
  }),
).meta({ id: "AttemptDetail" });
export type AttemptDetail = z.infer<typeof attemptDetailSchema>;
