import * as z from "zod";
import { agentIdSchema, approvalIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { pageQuerySchema } from "./page.ts";
import { capabilityVersionSchema } from "./route-decision.ts";
import { riskClassSchema, sideEffectSchema, toolKindSchema } from "./side-effect.ts";

/** Maximum length of a comment or a reason, in characters. */
export const MAX_APPROVAL_TEXT = 2_000;
/** Default time until an approval expires: 7 days, in ms. */
export const DEFAULT_APPROVAL_EXPIRY_MS = 604_800_000;

/**
 * `expired`: there was no decision by `expiresAt`, or before the definition of the tool was withdrawn. `cancelled`: the
 * execution ended, or reached a limit, before a decision.
 */
export const approvalStatusSchema = z.enum(["pending", "approved", "denied", "expired", "cancelled"]);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

/**
 * The request exactly as it would be sent, except for values that are only known when the call is sent: signatures,
 * `timestamp`, `deadline` and `attempt`.
 */
export const approvalRequestSchema = z.looseObject({
  method: z.string(),
  /** URL of the request, with its host in punycode. */
  url: z.string(),
  /** Values that are generated when the call is sent appear in brackets; secrets appear as `***NAME***`. */
  headers: z.record(z.string(), z.string()),
  /** Body of the request, with invisible characters escaped. Empty if the request has no body. */
  body: z.string(),
  /** Name of the signing secret, if the call is signed. */
  signingSecret: z.string().optional(),
  /** Name of the workspace secret that authenticates the request, if the tool is an HTTP tool. */
  credential: z.string().optional(),
});
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;

/** How an approval was resolved: by a decision, by expiry or by cancellation. */
export const approvalResolutionSchema = z.looseObject({
  at: timestampSchema,
  /** The API key of the approver; null for the bootstrap key, absent if there was no decision. */
  keyId: z.string().nullable().optional(),
  /**
   * Whether the approver used the key that started the execution, which is possible only if the operator permits it.
   */
  isSelfApproval: z.boolean().optional(),
  /** The approver's comment. It is recorded, but the model does not read it. */
  comment: z.string().optional(),
  /** Why the approver denied the call. The model reads it. */
  reason: z.string().optional(),
  /** The arguments with which the approver replaced the model's arguments. */
  parameters: jsonObjectSchema.optional(),
  /** The hash of the new request, if the approver changed the arguments. */
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
      /** The capability that serves the call of an intent's tool; absent for other tools. */
      capability: capabilityVersionSchema.optional(),
    }),
    /** Why an approval is required. */
    policyReason: z.string(),
    /** The model's arguments. */
    parameters: jsonValueSchema,
    /** The request that would be sent; null for a tool that runs inside the gateway. */
    request: approvalRequestSchema.nullable(),
    /**
     * The hash of what would be sent: `sha256:` and 64 hex digits. The gateway calculates the hash again before it
     * sends the call, and sends nothing if the hash has changed.
     */
    requestHash: z.string(),
    /** The start of the execution's input. */
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
    /** Arguments that replace the model's arguments. They must match the tool's schema. */
    parameters: jsonObjectSchema.optional(),
    comment: z.string().max(MAX_APPROVAL_TEXT).optional(),
  })
  .meta({ id: "Approve" });

/** The body of `POST /v1/approvals/:id/deny`. */
export const denySchema = z.strictObject({ reason: z.string().max(MAX_APPROVAL_TEXT).optional() }).meta({ id: "Deny" });
