import * as z from "zod";
import { executionStatusSchema, stopReasonSchema } from "./execution.ts";
import { agentIdSchema, executionIdSchema, toolCallIdSchema, workspaceIdSchema } from "./ids.ts";
import { jsonObjectSchema, jsonValueSchema, timestampSchema } from "./json.ts";
import { openResponse } from "./open-response.ts";
import { toolKindSchema } from "./side-effect.ts";
import { viaSchema } from "./tool-call-record.ts";
import { costSchema, usageSchema } from "./usage.ts";

/** Names the form of a receipt; part of what its signature covers. */
export const RECEIPT_FORMAT = "yagate-receipt-1";
/** The `typ` of a receipt's signature: nothing else that a workspace's key signs can be taken for one. */
export const RECEIPT_TYPE = "yagate-receipt+jws";

/** A SHA-256 in lower-case hex. */
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 lower-case hex digits");
const namedHashSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, "expected sha256: and 64 lower-case hex digits");

/** One sentence or more on one entry of the record. */
export const receiptLineSchema = z.looseObject({
  /** Of the entry that it tells of; 0 for what was there before the first one. */
  seq: z.int().min(0),
  at: timestampSchema,
  text: z.string(),
});
export type ReceiptLine = z.infer<typeof receiptLineSchema>;

/** What became of one tool call, in short. */
export const receiptCallSchema = z.looseObject({
  toolCallId: toolCallIdSchema,
  turn: z.int().min(1),
  name: z.string(),
  kind: toolKindSchema.nullable(),
  /** As the model asked. */
  parameters: jsonValueSchema,
  /** What was sent instead, where whoever approved edited it. */
  editedParameters: jsonValueSchema.optional(),
  /** `open`: it had not ended. */
  outcome: z.enum(["completed", "failed", "denied", "open"]),
  via: viaSchema.optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  /** A rule of the gateway, a policy or a person kept it from being sent; `blockReason` as tool calls have it. */
  blocked: z.boolean().optional(),
  blockReason: z.string().optional(),
  /** Names of the secrets that attempts were begun with, each once; absent where there were none. */
  credentials: z.array(z.string()).optional(),
  /** Whom attempts of the call were begun to, each once; `account` says of each whether it left. */
  origins: z.array(z.string()),
  attempts: z.int().min(0),
  approvals: z.array(
    z.looseObject({
      approvalId: z.string(),
      status: z.enum(["pending", "approved", "denied", "expired", "cancelled"]),
      /** Null for the bootstrap key; absent when nobody answered. */
      keyId: z.string().nullable().optional(),
      isSelfApproval: z.boolean().optional(),
    }),
  ),
});
export type ReceiptCall = z.infer<typeof receiptCallSchema>;

/** Everything that the chain is made of: whoever has it makes the chain again and compares its end. */
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
      /** Of this entry and, through the hash before it, of all before it. */
      hash: hashSchema,
      event: jsonObjectSchema,
      /** Of the model's message as it is kept for the provider. */
      assistantMessageHash: namedHashSchema.optional(),
    }),
  ),
  /** The last entry's hash; the subject's where there is none yet. */
  head: hashSchema,
});
export type ReceiptRecord = z.infer<typeof receiptRecordSchema>;

/** What an execution did, told in sentences, with the record that it was told from and what vouches for it. */
export const receiptSchema = openResponse(
  z.looseObject({
    format: z.literal(RECEIPT_FORMAT),
    executionId: executionIdSchema,
    workspaceId: workspaceIdSchema,
    /** The stored record is the one that was sealed when it was written. */
    verified: z.boolean(),
    /** The execution has ended and its record with it: nothing will follow. */
    isFinal: z.boolean(),
    /** The first entry that is not as it was sealed; null where `verified`. */
    difference: z
      .looseObject({
        /** Of the entry; 0 for what the record begins with: who asked for what of which agent. */
        seq: z.int().min(0),
        reason: z.string(),
      })
      .nullable(),
    agent: z.looseObject({
      id: agentIdSchema,
      version: z.int().min(1),
      /** The models that were asked, each once. */
      models: z.array(z.string()),
    }),
    /** The API key that asked; null for the bootstrap key. */
    keyId: z.string().nullable(),
    status: executionStatusSchema,
    stopReason: stopReasonSchema.nullable(),
    createdAt: timestampSchema,
    finishedAt: timestampSchema.nullable(),
    usage: usageSchema.nullable(),
    /** Null while the execution goes on. */
    cost: costSchema.nullable(),
    toolCalls: z.array(receiptCallSchema),
    account: z.array(receiptLineSchema),
    record: receiptRecordSchema,
    /** A JWS in compact form (EdDSA) by a key of the workspace's set; null unless `verified` and `isFinal`. */
    signature: z.string().nullable(),
  }),
).meta({ id: "Receipt" });
export type Receipt = z.infer<typeof receiptSchema>;

/** What the signature of a receipt says. */
export const receiptStatementSchema = z.looseObject({
  format: z.literal(RECEIPT_FORMAT),
  executionId: executionIdSchema,
  workspaceId: workspaceIdSchema,
  /** How many entries the record has. */
  entries: z.int().min(0),
  head: hashSchema,
  /** Of the record text of the receipt without `signature`. */
  receiptHash: namedHashSchema,
});

/** The public keys of a workspace (RFC 7517), as `/.well-known/jwks/<workspace id>.json` serves them. */
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
  /** Wins over the header `Accept`. */
  format: z.enum(["json", "text"]).optional(),
});
