import { gatewayFailure } from "@yagate/calls/failure";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { defined } from "@yagate/lib/objects/defined";
import type { McpCallError } from "@yagate/mcp/client/call-error";
import type { CallRequestFacts } from "@yagate/mcp/client/port";
import { ERROR_TABLE, type JsonValue } from "@yagate/protocol";

/** Describes why a call of an MCP tool has no result. */
export function mcpFailure(error: McpCallError, { status, retryAfter }: CallRequestFacts, now: number): Failure {
  const { code, message, outcome } = error;
  const isAnswered = code === "HANDLER_ERROR";
  const isRetryable = isAnswered ? status !== undefined && isRetryableStatus(status) : ERROR_TABLE[code].isRetryable;
  const retryAfterMs = isRetryable ? parseRetryAfter(retryAfter, now) : undefined;
  return gatewayFailure(code, message, { outcome, isRetryable, ...defined({ retryAfterMs }) });
}

/**
 * Describes the error that a tool reported in its result. The model can act on it.
 *
 * @param details - what the tool reported, which is untrusted.
 */
export function toolFailure(details: JsonValue): Failure {
  return gatewayFailure("HANDLER_ERROR", "the tool reported an error", {
    outcome: "none",
    isRetryable: false,
    hint: "details contains what the tool reported; correct the arguments, or continue without the tool",
    details,
  });
}
