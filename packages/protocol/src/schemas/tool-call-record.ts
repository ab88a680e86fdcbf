import * as z from "zod";
import { approvalResolutionSchema, approvalStatusSchema } from "./approval.ts";
import { attemptSchema } from "./attempt.ts";
import { approvalIdSchema, artifactIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";
import { modelCallsSchema } from "./model-call.ts";
import { openResponse } from "./open-response.ts";
import { riskClassSchema, toolKindSchema } from "./side-effect.ts";
import { toolErrorSchema } from "./tool-error.ts";
import { costSchema } from "./usage.ts";

export const toolCallStatusSchema = z.enum([
  "requested",
  "waiting_approval",
  "running",
  "waiting_callback",
  "waiting_fallback",
  "completed",
  "failed",
  "denied",
  "cancelled",
]);
export type ToolCallStatus = z.infer<typeof toolCallStatusSchema>;

/** Where a result came from, when not from the tool's own code in the gateway. */
export const viaSchema = z.enum(["handler", "callback", "fallback", "cache"]);
export type Via = z.infer<typeof viaSchema>;

/** Whether the policy let the call pass, and why. */
export const policyDecisionSchema = z.looseObject({
  decision: z.enum(["allowed", "approval_required", "denied"]),
  reason: z.string(),
});
export type PolicyDecision = z.infer<typeof policyDecisionSchema>;

/** A tool call with every attempt. */
export const toolCallRecordSchema = openResponse(
  z.looseObject({
    id: toolCallIdSchema,
    executionId: executionIdSchema,
    /** The model turn that asked for it; 1 is the first. */
    turn: z.int().min(1),
    name: z.string(),
    kind: toolKindSchema.nullable(),
    /** As they are sent; see `approval` for those of a call that was edited. */
    parameters: jsonValueSchema,
    status: toolCallStatusSchema,
    via: viaSchema.optional(),
    result: jsonValueSchema.optional(),
    /** Of a result or an error that is too large for a model to read at once: `GET /v1/artifacts/:id` reads it part by part. */
    artifactId: artifactIdSchema.optional(),
    error: toolErrorSchema.optional(),
    risk: riskClassSchema.nullable(),
    policyDecision: policyDecisionSchema.nullable(),
    /** What it brings was written by others: once read, declared writes ask a person. Absent where it was not. */
    isUntrusted: z.boolean().optional(),
    /** Of a call that a person was asked about. */
    approval: z
      .looseObject({
        id: approvalIdSchema,
        status: approvalStatusSchema,
        expiresAt: timestampSchema,
        resolution: approvalResolutionSchema.nullable(),
        /** What the model had asked for, when whoever approved edited it. */
        requestedParameters: jsonValueSchema.optional(),
      })
      .optional(),
    /** Of all attempts and model calls. */
    cost: costSchema,
    /** What its tool asked of the agent's model; absent where it asked nothing. */
    modelCalls: modelCallsSchema.optional(),
    /** Something kept it from being sent; `blockReason` says what, as `rate_limited`, `credential_leak`, `policy_denied`. */
    blocked: z.boolean().optional(),
    blockReason: z.string().optional(),
    /** While the caller may answer with a fallback. */
    fallbackUntil: timestampSchema.optional(),
    /** While the result of an `async` tool is waited for: until when it may be brought. */
    callbackUntil: timestampSchema.optional(),
    requestedAt: timestampSchema,
    finishedAt: timestampSchema.nullable(),
    attempts: z.array(attemptSchema),
  }),
).meta({ id: "ToolCallRecord" });
export type ToolCallRecord = z.infer<typeof toolCallRecordSchema>;

/** The body of `POST /v1/tool-calls/:id/fallback`. */
export const fallbackAnswerSchema = z
  .union([z.strictObject({ result: jsonValueSchema }), z.strictObject({ decline: z.literal(true) })])
  .meta({ id: "FallbackAnswer" });
export type FallbackAnswer = z.infer<typeof fallbackAnswerSchema>;
