import type { Failure } from "@yagate/execution-machine/call-outcome";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
import { type HandlerError, handlerErrorSchema, type JsonValue } from "@yagate/protocol";

const MAX_MESSAGE_CHARACTERS = 2_000;
const MAX_HINT_CHARACTERS = 1_000;
const MAX_DETAILS_BYTES = 16_384;

/** The `error` member of a response. For a malformed one, `field` is the field's path, never its value. */
export type AnswerError =
  | { readonly kind: "absent" }
  | { readonly kind: "valid"; readonly error: HandlerError }
  | { readonly kind: "malformed"; readonly field: string };

/**
 * Returns the `error` of a response. Null counts as absent, because programs in typed languages often send it together
 * with a result.
 */
export function answerErrorOf(response: JsonValue): AnswerError {
  if (!isJsonObject(response)) return { kind: "absent" };
  const error = Object.hasOwn(response, "error") ? response["error"] : null;
  if (error === null) return { kind: "absent" };
  const parsed = handlerErrorSchema.safeParse(error);
  if (parsed.success) return { kind: "valid", error: parsed.data };
  const path = parsed.error.issues[0]?.path ?? [];
  return { kind: "malformed", field: ["error", ...path].join(".") };
}

/** Returns the handler's own error with limits on its size, because a model reads it and the log stores it. */
export function handlerFailure(error: HandlerError, isRetryable: boolean): Failure {
  const { code, message, hint, details } = error;
  return {
    code,
    message: cutText(message, MAX_MESSAGE_CHARACTERS),
    ...(hint === undefined ? {} : { hint: cutText(hint, MAX_HINT_CHARACTERS) }),
    ...(details === undefined ? {} : { details: boundDetails(details) }),
    source: "handler",
    isRetryable,
    outcome: "none",
  };
}

function boundDetails(details: JsonValue): JsonValue {
  const bytes = Buffer.byteLength(JSON.stringify(details));
  return bytes <= MAX_DETAILS_BYTES ? details : `[left out: ${bytes} bytes, at most ${MAX_DETAILS_BYTES} are kept]`;
}
