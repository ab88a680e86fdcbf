import * as z from "zod";
import { executionStatusSchema, stopReasonSchema } from "./execution.ts";
import { agentIdSchema, executionIdSchema, toolCallIdSchema, workspaceIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { toolKindSchema } from "./side-effect.ts";
import { viaSchema } from "./tool-call-record.ts";
import { costSchema, usageSchema } from "./usage.ts";

/** Identifies the format of a receipt. This value is part of what is signed. */
export const RECEIPT_FORMAT = "yagate-receipt-1";
/**
 * The `typ` of a receipt's signature. It prevents other texts signed with the workspace's keys from passing as
 * receipts.
 */
export const RECEIPT_TYPE = "yagate-receipt+jws";

/** A SHA-256 hash in lower-case hex. */
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 lower-case hex digits");
const namedHashSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, "expected sha256: and 64 lower-case hex digits");

/** One or more sentences about one entry of the record. */
export const receiptLineSchema = z.looseObject({
  /** Number of the entry; 0 for the subject. */
  seq: z.int().min(0),
  at: timestampSchema,
  text: z.string(),
});
export type ReceiptLine = z.infer<typeof receiptLineSchema>;

/** The outcome of one tool call. */
export const receiptCallSchema = z.looseObject({
  toolCallId: toolCallIdSchema,
  turn: z.int().min(1),
  name: z.string(),
  kind: toolKindSchema.nullable(),
  /** The model's arguments. */
  parameters: jsonValueSchema,
  /** The arguments with which an approver replaced the model's arguments. */
  editedParameters: jsonValueSchema.optional(),
  /** `open`: the call had not ended. */
  outcome: z.enum(["completed", "failed", "denied", "open"]),
  via: viaSchema.optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  /**
   * Whether a rule of the gateway, the policy or an approver prevented the call from being sent. `blockReason` is the
   * same as in the tool call.
   */
  blocked: z.boolean().optional(),
  blockReason: z.string().optional(),
  /** Names of the secrets that the call's attempts used, without duplicates; absent if they used none. */
  credentials: z.array(z.string()).optional(),
  /**
   * Origins of the URLs of the call's attempts, without duplicates. `account` states for each attempt whether it was
   * sent.
   */
  origins: z.array(z.string()),
  attempts: z.int().min(0),
  approvals: z.array(
    z.looseObject({
      approvalId: z.string(),
      status: z.enum(["pending", "approved", "denied", "expired", "cancelled"]),
      /** The API key of the approver; null for the bootstrap key, absent if there was no decision. */
      keyId: z.string().nullable().optional(),
      isSelfApproval: z.boolean().optional(),
    }),
  ),
});
export type ReceiptCall = z.infer<typeof receiptCallSchema>;

/** The complete input of the hash chain. Anyone can recalculate the chain from it and compare the last hash. */
export const receiptRecordSchema = z.looseObject({
  subject: z.looseObject({
    executionId: executionIdSchema,
    workspaceId: workspaceIdSchema,
    agentId: agentIdSchema,
    agentVersion: z.int().min(1),
    agentHash: namedHashSchema,
    keyId: z.string().nullable(),
    createdAt: timestampSchema,
    requestHash: namedHashSchema,
  }),
  entries: z.array(
    z.looseObject({
      /** Hash of this entry and, because it covers the previous hash, of all earlier entries. */
      hash: hashSchema,
      event: jsonObjectSchema,
      /** Hash of the model's message, as it is stored to be sent back to the provider. */
      assistantMessageHash: namedHashSchema.optional(),
    }),
  ),
  /** The hash of the last entry, or of the subject if there are no entries. */
  head: hashSchema,
});
export type ReceiptRecord = z.infer<typeof receiptRecordSchema>;

/** A receipt: an account of what an execution did, with its record and a signature. */
export const receiptSchema = openResponse(
  z.looseObject({
    format: z.literal(RECEIPT_FORMAT),
    executionId: executionIdSchema,
    workspaceId: workspaceIdSchema,
    /** Whether the stored record is still the one that was sealed when it was written. */
    verified: z.boolean(),
    /** Whether the execution has ended and its record is complete. */
    isFinal: z.boolean(),
    /** The first entry that does not match its seal; null if `verified` is true. */
    difference: z
      .looseObject({
        /** Number of the entry; 0 for the subject: who requested what from which agent. */
        seq: z.int().min(0),
        reason: z.string(),
      })
      .nullable(),
    agent: z.looseObject({
      id: agentIdSchema,
      version: z.int().min(1),
      /** The models that were called, without duplicates. */
      models: z.array(z.string()),
    }),
    /** The API key that started the execution, or `oidc:<issuer>:<sub>` for an access token; null for the bootstrap key. */
    keyId: z.string().nullable(),
    status: executionStatusSchema,
    stopReason: stopReasonSchema.nullable(),
    createdAt: timestampSchema,
    finishedAt: timestampSchema.nullable(),
    usage: usageSchema.nullable(),
    /** Cost of the execution; null while it is running. */
    cost: costSchema.nullable(),
    toolCalls: z.array(receiptCallSchema),
    account: z.array(receiptLineSchema),
    record: receiptRecordSchema,
    /**
     * A JWS in compact form (EdDSA), signed with a key of the workspace's key set; null unless both `verified` and
     * `isFinal` are true.
     */
    signature: z.string().nullable(),
  }),
).meta({ id: "Receipt" });
export type Receipt = z.infer<typeof receiptSchema>;

/** The payload of a receipt's signature. */
export const receiptStatementSchema = z.looseObject({
  format: z.literal(RECEIPT_FORMAT),
  executionId: executionIdSchema,
  workspaceId: workspaceIdSchema,
  /** Number of entries in the record. */
  entries: z.int().min(0),
  head: hashSchema,
  /** Hash of the record text of the receipt without its `signature`. */
  receiptHash: namedHashSchema,
});

/** The public keys of a workspace (RFC 7517), as returned by `/.well-known/jwks/<workspace id>.json`. */
export const keySetSchema = z
  .looseObject({
    keys: z.array(
      z.looseObject({
        kty: z.string(),
        kid: z.string(),
        crv: z.string().optional(),
        x: z.string().optional(),
        alg: z.string().optional(),
        use: z.string().optional(),
      }),
    ),
  })
  .meta({ id: "KeySet" });
export type KeySet = z.infer<typeof keySetSchema>;

/** The query of `GET /v1/executions/:id/receipt`. */
export const receiptQuerySchema = z.strictObject({
  /** Format of the response. It takes precedence over the header `Accept`. */
  format: z.enum(["json", "text"]).optional(),
});
