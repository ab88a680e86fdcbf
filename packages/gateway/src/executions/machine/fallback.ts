import { ERROR_TABLE, isErrorCode, type ToolErrorRecord } from "@yagate/protocol";
import type { ExecutionConfig } from "./execution-config.ts";
import type { CallState, ExecutionState } from "./state.ts";

/** Whether the caller may supply a fallback for this failed call. */
export function mayFallBack(
  state: ExecutionState,
  call: CallState,
  error: ToolErrorRecord,
  config: ExecutionConfig,
): boolean {
  if (config.fallbackWaitMs === null || state.isFallbackExhausted) return false;
  if (config.tools.get(call.name)?.executor !== "attempts") return false;
  return error.source === "handler" || !isErrorCode(error.code) || !ERROR_TABLE[error.code].isDecision;
}
