import * as z from "zod";
import { agentIdSchema, approvalIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { pageQuerySchema } from "./page.ts";
import { riskClassSchema, sideEffectSchema, toolKindSchema } from "./side-effect.ts";

/** Most characters of a comment or a reason. */
export const MAX_APPROVAL_TEXT = 2_000;
/** How long a call waits for a person unless an operator says otherwise: 7 days, in ms. */
export const DEFAULT_APPROVAL_EXPIRY_MS = 604_800_000;

/** `expired`: nobody answered in time. `cancelled`: the execution ended before anybody did. */
export const approvalStatusSchema = z.enum(["pending", "approved", "denied", "expired", "cancelled"]);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

/** Exactly what would be sent, without what is only known at that moment: signatures, `timestamp`, `deadline`, `attempt`. */
export const approvalRequestSchema = z.looseObject({
  method: z.string(),
  /** Its host in punycode. */
  url: z.string(),
  /** Values that are made when the call is sent stand in brackets; in the place of a secret stands `***NAME***`. */
  headers: z.record(z.string(), z.string()),
  /** Characters that a reader could not see are written as escapes; empty where none is sent. */
  body: z.string(),
  /** Of a signed call: name of the signing secret. */
  signingSecret: z.string().optional(),
  /** Of a request to another service: name of the workspace secret that is added to it when it is sent. */
  credential: z.string().optional(),
});
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;

/** How an approval came to its end. */
export const approvalResolutionSchema = z.looseObject({
  at: timestampSchema,
  /** The API key that answered, null for the bootstrap key; absent when nobody did. */
  keyId: z.string().nullable().optional(),
  /** The same key had started the execution, which an operator must have allowed. */
  isSelfApproval: z.boolean().optional(),
  /** Of who approved: for the record only. */
  comment: z.string().optional(),
  /** Of who denied: the model reads it. */
  reason: z.string().optional(),
  /** The arguments that whoever approved put in the place of the model's. */
  parameters: jsonObjectSchema.optional(),
  /** What is sent instead, when the arguments were edited. */
  requestHash: z.string().optional(),
});
export type ApprovalResolution = z.infer<typeof approvalResolutionSchema>;

/** The resolution that an `approval.resolved` tells of. */
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

/** A tool call that a person must allow, as that person reads it. */
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
    /** Why somebody is asked. */
    policyReason: z.string(),
    /** As the model asked. */
    parameters: jsonValueSchema,
    /** Null for a tool that runs inside the gateway. */
    request: approvalRequestSchema.nullable(),
    /** `sha256:` and 64 hex digits of what would be sent; it is made again before anything leaves, and must be the same. */
    requestHash: z.string(),
    /** The beginning of what the execution was asked. */
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
    /** In the place of the model's arguments, and checked like them. */
    parameters: jsonObjectSchema.optional(),
    comment: z.string().max(MAX_APPROVAL_TEXT).optional(),
  })
  .meta({ id: "Approve" });

/** The body of `POST /v1/approvals/:id/deny`. */
export const denySchema = z.strictObject({ reason: z.string().max(MAX_APPROVAL_TEXT).optional() }).meta({ id: "Deny" });
