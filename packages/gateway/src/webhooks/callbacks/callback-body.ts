import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { type HandlerError, type JsonValue, YagateError } from "@yagate/protocol";
import { decodeUtf8 } from "../../calls/decode-utf8.ts";
import { readResponseJson } from "../../calls/response-json.ts";
import { answerErrorOf, handlerFailure } from "../response/handler-error.ts";

/**
 * Reads what was brought of an asynchronous call as an answer is read: the same JSON, the same bounds.
 *
 * @param redact - takes secrets out of its text.
 * @throws YagateError `MALFORMED_JSON`, `INVALID_REQUEST`: whoever brought it can correct it, so nothing comes of it.
 */
export function readCallbackBody(
  body: Uint8Array,
  redact: (text: string) => string,
): { readonly result: JsonValue } | { readonly error: HandlerError } {
  const text = decodeUtf8(body);
  const json = readResponseJson(text === undefined ? undefined : redact(text));
  if (!json.isReadable) throw refused(json.problem, json.isJson ? "INVALID_REQUEST" : "MALFORMED_JSON");
  const { value } = json;
  if (!isJsonObject(value)) throw refused("the body is not an object");
  const error = answerErrorOf(value);
  const result = Object.hasOwn(value, "result") ? value["result"] : undefined;
  if (error.kind === "absent") {
    if (result === undefined) throw refused("the body has neither a result nor an error");
    return { result };
  }
  if (result !== undefined) throw refused("the body has both a result and an error");
  if (error.kind === "malformed") throw refused(`${error.field} is not as expected`);
  return { error: bounded(error.error) };
}

function bounded(error: HandlerError): HandlerError {
  const { code, message, hint, details } = handlerFailure(error, false);
  return {
    code,
    message,
    ...defined({ hint, details, retryable: error.retryable }),
  };
}

function refused(problem: string, code: "INVALID_REQUEST" | "MALFORMED_JSON" = "INVALID_REQUEST"): YagateError {
  return new YagateError(code, `the outcome can't be used: ${problem}`, {
    hint: 'bring {"result": …} or {"error": {"code", "message"}}',
  });
}
