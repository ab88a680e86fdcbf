import * as z from "zod";
import { agentIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { pageQuerySchema } from "./page.ts";

/** Maximum number of rounds in which one tool call may require input. */
export const MAX_INPUT_ROUNDS = 8;
/** Maximum number of questions in one round. */
export const MAX_INPUT_QUESTIONS = 20;

/**
 * `expired`: there was no answer by `expiresAt`. `cancelled`: the execution ended, or reached a limit, before an answer.
 */
export const inputRequestStatusSchema = z.enum(["pending", "answered", "expired", "cancelled"]);
export type InputRequestStatus = z.infer<typeof inputRequestStatusSchema>;

/** A question that a tool asks a person. Its texts are written by the MCP server and are untrusted. */
export const inputQuestionSchema = z.looseObject({
  /** Identifies the question within its round. */
  key: z.string(),
  /** `form`: asks for the fields of `schema`. `url`: asks the person to open a web page. */
  mode: z.enum(["form", "url"]),
  message: z.string(),
  /** For `form`: the JSON Schema of the answer's content, a flat object. */
  schema: jsonObjectSchema.optional(),
  /** For `url`: the page. The gateway never opens it. */
  url: z.string().optional(),
});
export type InputQuestion = z.infer<typeof inputQuestionSchema>;

/** The answer to one question. `content` belongs to an accepted form only. */
export const inputAnswerSchema = z
  .discriminatedUnion("action", [
    z.strictObject({ action: z.literal("accept"), content: jsonObjectSchema.optional() }),
    z.strictObject({ action: z.literal("decline") }),
    z.strictObject({ action: z.literal("cancel") }),
  ])
  .meta({ id: "InputAnswer" });
export type InputAnswer = z.infer<typeof inputAnswerSchema>;

/** The answers to the questions of a round, by the keys of the questions. */
export const inputAnswersSchema = z.record(z.string(), inputAnswerSchema);
export type InputAnswers = z.infer<typeof inputAnswersSchema>;

/** The answers as the record of an execution contains them. */
export const recordedAnswersSchema = z.record(
  z.string(),
  z.looseObject({ action: z.enum(["accept", "decline", "cancel"]), content: jsonObjectSchema.optional() }),
);
export type RecordedAnswers = z.infer<typeof recordedAnswersSchema>;

/** The body of `POST /v1/tool-calls/:id/input`. */
export const answerInputSchema = z
  .strictObject({
    /** The round that is answered, so that a late answer never counts for other questions. */
    round: z.int().min(1).max(MAX_INPUT_ROUNDS),
    answers: inputAnswersSchema,
  })
  .meta({ id: "AnswerInput" });
export type AnswerInput = z.infer<typeof answerInputSchema>;

/** How an input request was resolved: by answers, by expiry or by cancellation. */
export const inputResolutionSchema = z.looseObject({
  at: timestampSchema,
  /** The API key that answered; null for the bootstrap key, absent if there were no answers. */
  keyId: z.string().nullable().optional(),
  answers: recordedAnswersSchema.optional(),
});
export type InputResolution = z.infer<typeof inputResolutionSchema>;

/** The questions of the latest round of a tool call. */
export const inputRequestSchema = openResponse(
  z.looseObject({
    toolCallId: toolCallIdSchema,
    executionId: executionIdSchema,
    agentId: agentIdSchema,
    agentVersion: z.int().min(1),
    agentName: z.string(),
    tool: z.looseObject({ name: z.string(), description: z.string() }),
    /** Number of the round within the tool call, from 1. */
    round: z.int().min(1),
    status: inputRequestStatusSchema,
    questions: z.array(inputQuestionSchema),
    requestedAt: timestampSchema,
    expiresAt: timestampSchema,
    resolution: inputResolutionSchema.nullable(),
  }),
).meta({ id: "InputRequest" });
export type InputRequest = z.infer<typeof inputRequestSchema>;

/** The query of `GET /v1/input-requests`. */
export const inputRequestQuerySchema = pageQuerySchema.extend({ status: inputRequestStatusSchema.optional() });
export type InputRequestQuery = z.output<typeof inputRequestQuerySchema>;
