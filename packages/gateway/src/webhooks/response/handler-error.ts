import { isJsonObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
import { type HandlerError, handlerErrorSchema, type JsonValue } from "@yagate/protocol";
import type { Failure } from "../../calls/port.ts";

const MAX_MESSAGE_CHARACTERS = 2_000;
const MAX_HINT_CHARACTERS = 1_000;
const MAX_DETAILS_BYTES = 16_384;

/** The `error` member of an answer. `malformed` names the field, never its value. */
export type AnswerError =
  | { readonly kind: "absent" }
  | { readonly kind: "valid"; readonly error: HandlerError }
  | { readonly kind: "malformed"; readonly field: string };

/** Finds the `error` of an answer; null stands for none, as typed languages write it beside a result. */
export function answerErrorOf(answer: JsonValue): AnswerError {
  if (!isJsonObject(answer)) return { kind: "absent" };
  const error = Object.hasOwn(answer, "error") ? answer["error"] : null;
  if (error === null) return { kind: "absent" };
  const parsed = handlerErrorSchema.safeParse(error);
  if (parsed.success) return { kind: "valid", error: parsed.data };
  const path = parsed.error.issues[0]?.path ?? [];
  return { kind: "malformed", field: ["error", ...path].join(".") };
}

/** What a handler says of itself, bounded: it is read by a model and kept in the journal. */
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
