import * as z from "zod";
import { agentIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";

/** Prefix of a callback's token, so that people and secret scanners can distinguish it from an API key. */
export const CALLBACK_TOKEN_PREFIX = "yc_";

/** Default time until a callback expires: 24 hours, in ms. */
export const DEFAULT_CALLBACK_EXPIRY_MS = 86_400_000;

/** Where to deliver the result of an `async` tool later. */
export const callbackSchema = z.looseObject({
  url: z.string(),
  token: z.string(),
  expiresAt: timestampSchema,
});

/** The body of a signed call, gateway to handler. Accepts unknown fields, which a newer gateway may add. */
export const toolCallSchema = z.looseObject({
  toolCallId: toolCallIdSchema,
  agentId: agentIdSchema,
  executionId: executionIdSchema,
  name: z.string().min(1),
  parameters: jsonObjectSchema,
  /** 1 for the first attempt. */
  attempt: z.int().min(1),
  /** When this attempt was signed. */
  timestamp: timestampSchema,
  /** `deadline - timestamp` is the time limit of the attempt, measured from arrival on the handler's own clock. */
  deadline: timestampSchema,
  schemaHash: z.string().optional(),
  /** The handler URL as saved. */
  audience: z.string().optional(),
  /** The caller's own data about itself; the model never sees it. */
  caller: jsonObjectSchema.optional(),
  callback: callbackSchema.optional(),
});

/** The body of a signed call, parsed. */
export type ToolCall = z.infer<typeof toolCallSchema>;
