import * as z from "zod";
import { agentIdSchema, executionIdSchema, toolCallIdSchema } from "./ids.ts";
import { jsonObjectSchema, timestampSchema } from "./json.ts";

/** What a callback's token begins with, so that people and secret scanners can tell it from an API key. */
export const CALLBACK_TOKEN_PREFIX = "yc_";

/** How long the result of an `async` tool is waited for unless an operator says otherwise: 24 hours, in ms. */
export const DEFAULT_CALLBACK_EXPIRY_MS = 86_400_000;

/** Where the result of an `async` tool is sent later. */
export const callbackSchema = z.looseObject({
  url: z.string(),
  token: z.string(),
  expiresAt: timestampSchema,
});

/** The body of a signed call, gateway to handler. Loose: a newer gateway may add fields. */
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
  /** `deadline - timestamp` is the time that the handler has, counted from arrival on its own clock. */
  deadline: timestampSchema,
  schemaHash: z.string().optional(),
  /** The handler URL as saved. */
  audience: z.string().optional(),
  /** Whatever the execution's caller said of itself; the model never sees it. */
  caller: jsonObjectSchema.optional(),
  callback: callbackSchema.optional(),
});

/** The body of a signed call, parsed. */
export type ToolCall = z.infer<typeof toolCallSchema>;
