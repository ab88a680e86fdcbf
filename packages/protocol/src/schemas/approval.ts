import * as z from "zod";
import { agentIdSchema, approvalIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { pageQuerySchema } from "./page.ts";
import { riskClassSchema, sideEffectSchema, toolKindSchema } from "./side-effect.ts";

/** Maximum length of a comment or a reason, in characters. */
export const MAX_APPROVAL_TEXT = 2_000;
/** Default time until an approval expires: 7 days, in ms. */
export const DEFAULT_APPROVAL_EXPIRY_MS = 604_800_000;

/** `expired`: no decision in time. `cancelled`: the execution ended before a decision. */
export const approvalStatusSchema = z.enum(["pending", "approved", "denied", "expired", "cancelled"]);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

/** Exactly what would be sent, without what is only known then: signatures, `timestamp`, `deadline`, `attempt`. */
export const approvalRequestSchema = z.looseObject({
  method: z.string(),
  /** The host is in punycode. */
  url: z.string(),
  /** Values that are created when the call is sent appear in brackets, and secrets as `***NAME***`. */
  headers: z.record(z.string(), z.string()),
  /** Invisible characters appear as escapes. Empty without a body. */
  body: z.string(),
  /** For a signed call: the name of the signing secret. */
  signingSecret: z.string().optional(),
  /** For an HTTP tool: the name of the workspace secret that authenticates the request. */
  credential: z.string().optional(),
});
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;

/** The decision or other end of an approval. */
export const approvalResolutionSchema = z.looseObject({
  at: timestampSchema,
  /** The API key of the approver, null for the bootstrap key; absent without a decision. */
  keyId: z.string().nullable().optional(),
  /** The same key started the execution, which an operator must have allowed. */
  isSelfApproval: z.boolean().optional(),
  /** Of the approver, for the record only. */
  comment: z.string().optional(),
  /** Of the approver who denied the call; the model reads it. */
  reason: z.string().optional(),
  /** Arguments with which the approver replaced the model's. */
  parameters: jsonObjectSchema.optional(),
  /** The hash of the new request, if the arguments were changed. */
  requestHash: z.string().optional(),
});
export type ApprovalResolution = z.infer<typeof approvalResolutionSchema>;

/** Converts an `approval.resolved` event to a resolution. */
export function toApprovalResolution(event: ApprovalResolution): ApprovalResolution {
  const { at, keyId, isSelfApproval, comment, reason, parameters, requestHash } = event;
  return {
    at,
    ...(keyId === undefined ? {} : { keyId }),
    ...(isSelfApproval === undefined ? {} : { isSelfApproval }),
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(requestHash === undefined ? {} : { requestHash }),
  };
}

/** A tool call that needs an approval, as the approver sees it. */
export const approvalSchema = openResponse(
  z.looseObject({
    id: approvalIdSchema,
    status: approvalStatusSchema,
    executionId: executionIdSchema,
    toolCallId: toolCallIdSchema,
    agentId: agentIdSchema,
    agentVersion: z.int().min(1),
    agentName: z.string(),
    tool: z.looseObject({
      name: z.string(),
      description: z.string(),
      kind: toolKindSchema,
      sideEffect: sideEffectSchema.nullable(),
      risk: riskClassSchema.nullable(),
    }),
    /** Why an approval is required. */
    policyReason: z.string(),
    /** The arguments of the model. */
    parameters: jsonValueSchema,
    /** Null for a tool that runs inside the gateway. */
    request: approvalRequestSchema.nullable(),
    /**
     * `sha256:` and 64 hex digits, over what would be sent. It is calculated again before anything leaves, and must be
     * equal.
     */
    requestHash: z.string(),
    /** The beginning of the execution's input. */
    inputPreview: z.string(),
    requestedAt: timestampSchema,
    expiresAt: timestampSchema,
    resolution: approvalResolutionSchema.nullable(),
  }),
).meta({ id: "Approval" });
export type Approval = z.infer<typeof approvalSchema>;

/** The query of `GET /v1/approvals`. */
export const approvalQuerySchema = pageQuerySchema.extend({ status: approvalStatusSchema.optional() });
export type ApprovalQuery = z.output<typeof approvalQuerySchema>;

/** The body of `POST /v1/approvals/:id/approve`. */
export const approveSchema = z
  .strictObject({
    /** Replace the model's arguments. They must match the tool's schema. */
    parameters: jsonObjectSchema.optional(),
    comment: z.string().max(MAX_APPROVAL_TEXT).optional(),
  })
  .meta({ id: "Approve" });

/** The body of `POST /v1/approvals/:id/deny`. */
export const denySchema = z.strictObject({ reason: z.string().max(MAX_APPROVAL_TEXT).optional() }).meta({ id: "Deny" });
