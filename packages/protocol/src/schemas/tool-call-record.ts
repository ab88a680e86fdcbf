import * as z from "zod";
import { approvalResolutionSchema, approvalStatusSchema } from "./approval.ts";
import { attemptSchema } from "./attempt.ts";
import { approvalIdSchema, artifactIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { inputQuestionSchema, inputRequestStatusSchema } from "./input-request.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";
import { modelCallsSchema } from "./model-call.ts";
import { openResponse } from "./open-response.ts";
import { capabilityVersionSchema } from "./route-decision.ts";
import { riskClassSchema, toolKindSchema } from "./side-effect.ts";
import { toolErrorSchema } from "./tool-error.ts";
import { costSchema } from "./usage.ts";

export const toolCallStatusSchema = z.enum([
  "requested",
  "waiting_approval",
  "running",
  "waiting_callback",
  "waiting_fallback",
  "waiting_input",
  "waiting_task",
  "completed",
  "failed",
  "denied",
  "cancelled",
]);
export type ToolCallStatus = z.infer<typeof toolCallStatusSchema>;

/**
 * Where a result came from; absent if the gateway's own code produced it. `recording`: nothing was sent, because the
 * result comes from a recording.
 */
export const viaSchema = z.enum(["handler", "callback", "fallback", "cache", "recording"]);
export type Via = z.infer<typeof viaSchema>;

/** The policy's decision about a call, and its reason. */
export const policyDecisionSchema = z.looseObject({
  decision: z.enum(["allowed", "approval_required", "denied"]),
  reason: z.string(),
});
export type PolicyDecision = z.infer<typeof policyDecisionSchema>;

/** A tool call with all its attempts. */
export const toolCallRecordSchema = openResponse(
  z.looseObject({
    id: toolCallIdSchema,
    executionId: executionIdSchema,
    /** The model turn that requested the call; 1 is the first. */
    turn: z.int().min(1),
    name: z.string(),
    kind: toolKindSchema.nullable(),
    /**
     * The arguments that are sent. If an approver changed them, `requestedParameters` in `approval` contains the
     * model's arguments.
     */
    parameters: jsonValueSchema,
    status: toolCallStatusSchema,
    via: viaSchema.optional(),
    result: jsonValueSchema.optional(),
    /**
     * The artifact that contains the result or error, if it is too long for the model to read in full. `GET
     * /v1/artifacts/:id` returns parts of it.
     */
    artifactId: artifactIdSchema.optional(),
    error: toolErrorSchema.optional(),
    risk: riskClassSchema.nullable(),
    policyDecision: policyDecisionSchema.nullable(),
    /** The capability that serves the call, now or at its end; absent if the tool is not that of an intent. */
    capability: capabilityVersionSchema.optional(),
    /** Keys of the capabilities that served the call before and failed, in order; absent if the call has not moved. */
    triedCapabilities: z.array(z.string()).min(1).optional(),
    /**
     * Whether the result is untrusted content. If so, writes need an approval after the model has read the result.
     * Absent if it is not.
     */
    isUntrusted: z.boolean().optional(),
    /** The task in which an MCP server continues the call; absent if it has not continued the call as a task. */
    task: z.looseObject({ id: z.string(), expiresAt: timestampSchema }).optional(),
    /** The approval of the call, if it needs one. */
    approval: z
      .looseObject({
        id: approvalIdSchema,
        status: approvalStatusSchema,
        expiresAt: timestampSchema,
        resolution: approvalResolutionSchema.nullable(),
        /** The model's arguments, if an approver changed them. */
        requestedParameters: jsonValueSchema.optional(),
      })
      .optional(),
    /** The latest round in which the tool asked a person for input; absent if it asked nothing. */
    input: z
      .looseObject({
        round: z.int().min(1),
        status: inputRequestStatusSchema,
        questions: z.array(inputQuestionSchema),
        expiresAt: timestampSchema,
      })
      .optional(),
    /** Cost of all attempts and model calls. */
    cost: costSchema,
    /** The model calls that the tool made; absent if it made none. */
    modelCalls: modelCallsSchema.optional(),
    /**
     * Whether the gateway prevented the call from being sent. `blockReason` states the reason, such as `rate_limited`,
     * `credential_leak` or `policy_denied`.
     */
    blocked: z.boolean().optional(),
    blockReason: z.string().optional(),
    /** The time until which the caller may supply a fallback. */
    fallbackUntil: timestampSchema.optional(),
    /** When the callback of an `async` tool expires; present while the call waits for the callback. */
    callbackUntil: timestampSchema.optional(),
    requestedAt: timestampSchema,
    finishedAt: timestampSchema.nullable(),
    attempts: z.array(attemptSchema),
    /** The newest redeliveries of the call, oldest first, at most 20; absent if there are none. */
    redeliveries: z.array(attemptSchema).optional(),
  }),
).meta({ id: "ToolCallRecord" });
export type ToolCallRecord = z.infer<typeof toolCallRecordSchema>;

/** The body of `POST /v1/tool-calls/:id/fallback`. */
export const fallbackAnswerSchema = z
  .union([z.strictObject({ result: jsonValueSchema }), z.strictObject({ decline: z.literal(true) })])
  .meta({ id: "FallbackAnswer" });
export type FallbackAnswer = z.infer<typeof fallbackAnswerSchema>;
