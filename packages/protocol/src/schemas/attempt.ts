import * as z from "zod";
import { attemptIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";

/**
 * Duration of each step in ms; null for a step that did not happen. On a pooled connection, for example, DNS, connect
 * and TLS do not happen.
 */
export const timingsSchema = z.looseObject({
  dns: z.number().nullable(),
  connect: z.number().nullable(),
  tls: z.number().nullable(),
  firstByte: z.number().nullable(),
});
export type Timings = z.infer<typeof timingsSchema>;

/** A response that arrived after the gateway had given up on the attempt. */
const lateAnswerSchema = z.looseObject({
  at: timestampSchema,
  httpStatus: z.int().optional(),
  /** Time from the start of the attempt's request to the end of its response, in ms. */
  elapsedMs: z.number().optional(),
  responseBytes: z.int().min(0).optional(),
});

/** How an attempt in a round of questions ended. */
export const attemptInputSchema = z.enum(["required", "expired"]);

/** An attempt: one request that the gateway sends, or tries to send, for a tool call. */
export const attemptSchema = z
  .looseObject({
    id: attemptIdSchema,
    /** Number of the attempt within its tool call, from 1. */
    number: z.int().min(1),
    method: z.string(),
    /** URL of the request. Secrets appear as `***NAME***`. */
    url: z.string(),
    /** Name of the secret that the request used; several names are separated by commas. */
    credential: z.string().optional(),
    startedAt: timestampSchema,
    /** Duration in ms; null while the attempt is running. */
    durationMs: z.number().nullable(),
    timings: timingsSchema.nullable(),
    httpStatus: z.int().optional(),
    requestBytes: z.int().min(0),
    responseBytes: z.int().min(0),
    errorCode: z.string().optional(),
    outcome: z.enum(["none", "unknown"]).optional(),
    /**
     * `required`: the tool asked a person for input. `expired`: the server no longer accepted the state of the round,
     * so the call started over. Absent for every other attempt.
     */
    input: attemptInputSchema.optional(),
    /**
     * `redelivery`: a person sent an ended call again. The outcome of the call and its receipt do not change. Absent for
     * every other attempt.
     */
    kind: z.literal("redelivery").optional(),
    /** Whether the attempt only read the response to the attempt before it, and called nothing. */
    isResumption: z.boolean().optional(),
    /** A response that arrived after the gateway had given up on the attempt. It was not used. */
    lateAnswer: lateAnswerSchema.optional(),
  })
  .meta({ id: "Attempt" });
export type Attempt = z.infer<typeof attemptSchema>;

/** A request or response: headers, and the first 64 KiB of the body as text, with secrets redacted. */
export const recordedMessageSchema = z.looseObject({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** Size of the complete body in bytes. */
  bodyBytes: z.int().min(0),
  isTruncated: z.boolean(),
});
export type RecordedMessage = z.infer<typeof recordedMessageSchema>;

/**
 * An attempt with its request and response, which are null after their retention period: the response of `GET
 * /v1/attempts/:id`.
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
