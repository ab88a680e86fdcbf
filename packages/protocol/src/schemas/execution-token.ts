import * as z from "zod";
import { executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

export const DEFAULT_EXECUTION_TOKEN_SECONDS = 900;
export const MAX_EXECUTION_TOKEN_SECONDS = 3_600;

/** Prefix of execution tokens. People and secret scanners can recognise them by it. */
export const EXECUTION_TOKEN_PREFIX = "yt_";

/** The body of `POST /v1/executions/:id/tokens`. */
export const createExecutionTokenSchema = z
  .strictObject({
    /** Lifetime in seconds: 1 to 3600, default 900. */
    expiresInSeconds: z.int().min(1).max(MAX_EXECUTION_TOKEN_SECONDS).default(DEFAULT_EXECUTION_TOKEN_SECONDS),
  })
  .meta({ id: "CreateExecutionToken" });
export type CreateExecutionToken = z.input<typeof createExecutionTokenSchema>;

/**
 * A token that gives access to one execution: its record, events, tool calls and fallbacks. The gateway does not store
 * the token.
 */
export const executionTokenSchema = z
  .looseObject({ token: z.string(), executionId: executionIdSchema, expiresAt: timestampSchema })
  .meta({ id: "ExecutionToken" });
export type ExecutionToken = z.infer<typeof executionTokenSchema>;
