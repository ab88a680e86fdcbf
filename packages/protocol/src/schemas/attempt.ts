import * as z from "zod";
import { attemptIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

/** Duration of each step in ms; null if it did not happen (a pooled connection has no DNS, connect or TLS). */
export const timingsSchema = z.looseObject({
  dns: z.number().nullable(),
  connect: z.number().nullable(),
  tls: z.number().nullable(),
  firstByte: z.number().nullable(),
});
export type Timings = z.infer<typeof timingsSchema>;

/** A response that arrived after its deadline. */
const lateAnswerSchema = z.looseObject({
  at: timestampSchema,
  httpStatus: z.int().optional(),
  /** From sending the attempt to the end of its response, in ms. */
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
    /** Secrets appear as `***NAME***`. */
    url: z.string(),
    /** Name of the secret in the request; several are separated by commas. */
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
    /** A response that arrived after the attempt had been given up. It was not used. */
    lateAnswer: lateAnswerSchema.optional(),
  })
  .meta({ id: "Attempt" });
export type Attempt = z.infer<typeof attemptSchema>;

/** A request or response: headers, and the first 64 KiB of the body as text, with secrets redacted. */
export const recordedMessageSchema = z.looseObject({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** Size of the whole body in bytes. */
  bodyBytes: z.int().min(0),
  isTruncated: z.boolean(),
});
export type RecordedMessage = z.infer<typeof recordedMessageSchema>;

/**
 * An attempt with its messages, the response of `GET /v1/attempts/:id`. The messages are null after their retention
 * period.
 */
export const attemptDetailSchema = openResponse(
  attemptSchema.extend({
    toolCallId: toolCallIdSchema,
    executionId: executionIdSchema,
    request: recordedMessageSchema.nullable(),
    response: recordedMessageSchema.nullable(),
  }),
).meta({ id: "AttemptDetail" });
export type AttemptDetail = z.infer<typeof attemptDetailSchema>;
