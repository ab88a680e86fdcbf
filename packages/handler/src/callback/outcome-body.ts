import { isObject } from "@yagate/lib/json/json-object";
import { type HandlerError, handlerErrorSchema, YagateError } from "@yagate/protocol/calls";
import { findUnfaithful } from "#development";
import { isDevelopmentProcess } from "../development-process.ts";
import type { ToolError } from "../tool-error.ts";

/** The outcome of a call: its result or its error. The result is any JSON value; `undefined` becomes `null`. */
export type LateOutcome = { readonly result: unknown } | { readonly error: ToolError | HandlerError };

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Returns the bytes to sign and send.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` unless the outcome contains exactly one of `result` and `error`, or if
 *   the result is not JSON or the error has no code.
 */
export function outcomeBody(outcome: LateOutcome): ReturnType<typeof encoder.encode> {
  if (!isObject(outcome) || "result" in outcome === "error" in outcome) {
    throw new YagateError("INVALID_REQUEST", "the outcome of a call: expected { result } or { error }");
  }
  const text = "error" in outcome ? writeError(outcome.error) : writeResult(outcome.result);
  return encoder.encode(text);
}

function writeResult(result: unknown): string {
  const fault = isDevelopmentProcess() ? findUnfaithful(result) : undefined;
  if (fault !== undefined) throw new YagateError("INVALID_REQUEST", fault);
  const text = result === undefined ? "null" : write("result", result);
  // JSON.stringify returns undefined for a function or a symbol.
  if (text === undefined) throw new YagateError("INVALID_REQUEST", "result: expected JSON");
  return `{"result":${text}}`;
}

function writeError(error: unknown): string {
  const text = write("error", error);
  if (text !== undefined && handlerErrorSchema.safeParse(JSON.parse(text)).success) return `{"error":${text}}`;
  throw new YagateError("INVALID_REQUEST", "error: expected a ToolError, or an object with a code and a message");
}

/**
 * Serialises a value. Returns `undefined` for values that JSON cannot represent, as `JSON.stringify` does although its
 * type does not include `undefined`.
 */
function write(field: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new YagateError("INVALID_REQUEST", `${field}: expected JSON`, { cause });
  }
}
