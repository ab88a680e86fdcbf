import type { ToolErrorRecord } from "@yagate/protocol";
import type { ExecutionConfig } from "./execution-config.ts";
import type { CallState, ExecutionState } from "./state.ts";

// The gateway's own refusals: a fallback for these would let a caller answer what the gateway would not ask.
const REFUSALS: ReadonlySet<string> = new Set([
  "INVALID_ARGUMENTS",
  "UNKNOWN_TOOL",
  "URL_BLOCKED",
  "POLICY_DENIED",
  "APPROVAL_DENIED",
  "APPROVAL_EXPIRED",
  "BUDGET_EXCEEDED",
  "CANCELLED",
  "DEPENDENCY_FAILED",
  "CREDENTIAL_MISSING",
  "CREDENTIAL_UNKNOWN",
  "CREDENTIAL_LEAK",
  "RATE_LIMITED",
]);

/** Whether the caller is asked for a result in place of this failed call. */
export function mayFallBack(
  state: ExecutionState,
  call: CallState,
  error: ToolErrorRecord,
  config: ExecutionConfig,
): boolean {
  if (config.fallbackWaitMs === null || state.isFallbackExhausted) return false;
  if (config.tools.get(call.name)?.executor !== "attempts") return false;
  return error.source === "handler" || !REFUSALS.has(error.code);
}
