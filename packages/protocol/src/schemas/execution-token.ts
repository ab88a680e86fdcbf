import * as z from "zod";
import { executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

export const DEFAULT_EXECUTION_TOKEN_SECONDS = 900;
export const MAX_EXECUTION_TOKEN_SECONDS = 3_600;

/** What an execution's token begins with, so that people and secret scanners can tell it from an API key. */
export const EXECUTION_TOKEN_PREFIX = "yt_";

/** The body of `POST /v1/executions/:id/tokens`. */
export const createExecutionTokenSchema = z
  .strictObject({
    /** How long it opens anything: 1 second to 1 hour, default 15 minutes. */
    expiresInSeconds: z.int().min(1).max(MAX_EXECUTION_TOKEN_SECONDS).default(DEFAULT_EXECUTION_TOKEN_SECONDS),
  })
  .meta({ id: "CreateExecutionToken" });
export type CreateExecutionToken = z.input<typeof createExecutionTokenSchema>;

/** A token for one execution's record, events, tool calls and fallbacks. It is stored nowhere. */
export const executionTokenSchema = z
  .looseObject({ token: z.string(), executionId: executionIdSchema, expiresAt: timestampSchema })
  .meta({ id: "ExecutionToken" });
export type ExecutionToken = z.infer<typeof executionTokenSchema>;
