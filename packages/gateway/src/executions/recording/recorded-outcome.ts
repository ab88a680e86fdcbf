import type { Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import {
  type JsonValue,
  jsonValueSchema,
  type RecordedResult,
  type ToolErrorRecord,
  type ToolKind,
} from "@yagate/protocol";
import { TOOL_SEARCH } from "@yagate/tool-search/search-definition";
import { foundIn } from "@yagate/tool-search/search-result";

/** The outcome of a recorded call; `divergence` says what the recording lacks. */
export type RecordedOutcome =
  | { readonly result: JsonValue; readonly foundTools?: readonly string[] }
  | { readonly failure: Failure }
  | { readonly divergence: string };

/** Returns the outcome of a call that has completed. That of a search loads the tools that it has found. */
export function toResult(
  call: { readonly name: string; readonly kind: ToolKind | null },
  value: unknown,
): RecordedOutcome {
  const result = jsonValueSchema.parse(value);
  const isSearch = call.name === TOOL_SEARCH && call.kind === "data";
  return isSearch ? { result, foundTools: foundIn(result) } : { result };
}

/** Returns the failure that ends a call with a recorded error. */
export function toFailure(error: NonNullable<RecordedResult["error"]> | ToolErrorRecord): Failure {
  const { code, message, hint, retryable: isRetryable, outcome, source } = error;
  return { code, message, ...defined({ hint, details: detailsOf(error) }), source, isRetryable, outcome };
}

function detailsOf({ details }: { readonly details?: unknown }): JsonValue | undefined {
  return details === undefined ? undefined : jsonValueSchema.parse(details);
}
