import * as z from "zod";
import { agentIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";

/** Prefix of callback tokens. People and secret scanners can recognise them by it. */
export const CALLBACK_TOKEN_PREFIX = "yc_";

/** Default time until a callback expires: 24 hours, in ms. */
export const DEFAULT_CALLBACK_EXPIRY_MS = 86_400_000;

/** Where to deliver the result of a call to an `async` tool. */
export const callbackSchema = z.looseObject({
  url: z.string(),
  token: z.string(),
  expiresAt: timestampSchema,
});

/**
 * The body of a signed call, which the gateway sends to a handler. Unknown fields are accepted, because a newer gateway
 * may add fields.
 */
export const toolCallSchema = z.looseObject({
  toolCallId: toolCallIdSchema,
  agentId: agentIdSchema,
  executionId: executionIdSchema,
  name: z.string().min(1),
  parameters: jsonObjectSchema,
  /** Number of the attempt, from 1. */
  attempt: z.int().min(1),
  /** When this attempt was signed. */
  timestamp: timestampSchema,
  /**
   * When the attempt's time limit ends. The limit is `deadline - timestamp`; measure it on the handler's own clock,
   * from the arrival of the call.
   */
  deadline: timestampSchema,
  schemaHash: z.string().optional(),
  /** The handler URL as it is saved in the tool's definition. */
  audience: z.string().optional(),
  /** The `caller` of the execution: data from the application that started the execution, never shown to the model. */
  caller: jsonObjectSchema.optional(),
  callback: callbackSchema.optional(),
  /** Whether a person sent an ended call again, to a URL of their own. */
  redelivery: z.boolean().optional(),
});

/** The body of a signed call, parsed. */
export type ToolCall = z.infer<typeof toolCallSchema>;
