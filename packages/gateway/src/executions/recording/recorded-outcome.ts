import type { Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import { type JsonValue, jsonValueSchema, type RecordedResult, type ToolErrorRecord } from "@yagate/protocol";

/** The outcome of a recorded call; `divergence` says what the recording lacks. */
export type RecordedOutcome =
  | { readonly result: JsonValue }
  | { readonly failure: Failure }
  | { readonly divergence: string };

/** Returns the failure that ends a call with a recorded error. */
export function toFailure(error: NonNullable<RecordedResult["error"]> | ToolErrorRecord): Failure {
  const { code, message, hint, retryable: isRetryable, outcome, source } = error;
  return { code, message, ...defined({ hint, details: detailsOf(error) }), source, isRetryable, outcome };
}

function detailsOf({ details }: { readonly details?: unknown }): JsonValue | undefined {
  return details === undefined ? undefined : jsonValueSchema.parse(details);
}
