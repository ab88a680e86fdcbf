import { gatewayFailure } from "@yagate/calls/failure";
import { readResponseJson } from "@yagate/calls/read-response";
import type { CallAnswer, Failure } from "@yagate/execution-machine/call-outcome";
import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { ERROR_TABLE, isErrorCode, type JsonValue } from "@yagate/protocol";
import { type AnswerError, answerErrorOf, handlerFailure } from "./handler-error.ts";

/** A response that was read completely and whose signature, if it needs one, is valid. */
export interface HandlerResponse {
  /** The HTTP status, at least 200. */
  readonly status: number;
  /** Whether the tool may send its result by callback. */
  readonly isAsync: boolean;
  /** The decoded body; undefined if the bytes were not UTF-8. */
  readonly text: string | undefined;
  readonly retryAfter: string | undefined;
  /** Current time in ms since the epoch. */
  readonly now: number;
}

type ResponseOutcome = CallAnswer;

/** Classifies a response by the table of the wire contract, row by row. */
export function classifyResponse(response: HandlerResponse): ResponseOutcome {
  const { status } = response;
  if (status >= 200 && status < 300) return classifySuccess(response);
  if (status >= 300 && status < 400) {
    const message = "the tool's service responded with a redirect";
    return failed(gatewayFailure("REDIRECT_REFUSED", message, { outcome: "none", developerMessage: `HTTP ${status}` }));
  }
  if (status >= 600) return invalid(response, "expected an HTTP status from 100 to 599");
  return failed(classifyFailure(response));
}

function classifySuccess(response: HandlerResponse): ResponseOutcome {
  const json = readResponseJson(response.text);
  if (!json.isReadable) return invalid(response, json.problem);
  const { value } = json;
  if (!isJsonObject(value)) {
    return invalid(response, "the body is not an object");
  }
  const error = answerErrorOf(value);
  const result = Object.hasOwn(value, "result") ? value["result"] : undefined;
  if (error.kind === "absent") {
    if (result !== undefined) return { result };
    if (!isPending(response, value)) return invalid(response, "the body has neither a result nor an error");
    return response.isAsync ? { pending: true } : invalid(response, "only asynchronous tools may respond with pending");
  }
  if (result !== undefined) return invalid(response, "the body has both a result and an error");
  if (error.kind === "malformed") return invalid(response, `${error.field} does not have the expected form`);
  return failed(handlerFailure(error.error, error.error.retryable === true));
}

function isPending({ status }: HandlerResponse, value: { readonly [key: string]: JsonValue }): boolean {
  return status === 202 && Object.hasOwn(value, "pending") && value["pending"] === true;
}

function classifyFailure(response: HandlerResponse): Failure {
  const { status, now } = response;
  const json = readResponseJson(response.text);
  const error: AnswerError = json.isReadable ? answerErrorOf(json.value) : { kind: "absent" };
  const mayHelpLater = isRetryableStatus(status);
  const retryAfterMs = mayHelpLater ? parseRetryAfter(response.retryAfter, now) : undefined;
  const delay = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (error.kind === "valid") {
    const failure = handlerFailure(error.error, mayHelpLater && error.error.retryable !== false);
    return { ...withoutSetupAdvice(failure, status), ...delay };
  }
  // Only a 410 without an error body disables the endpoint. With an error body, it may mean that, for example, an order
  // is gone.
  if (status === 410 && error.kind === "absent") {
    return gatewayFailure("HANDLER_GONE", "the tool's service reported that it is gone permanently", {
      outcome: "none",
    });
  }
  const problem = error.kind === "malformed" ? `; ${error.field} does not have the expected form` : "";
  return gatewayFailure("HANDLER_ERROR", `the tool's service responded with HTTP ${status}`, {
    outcome: "none",
    isRetryable: mayHelpLater,
    developerMessage: `HTTP ${status} without an error body of the wire contract${problem}`,
    ...delay,
  });
}

/**
 * Returns the failure for an unusable response. The handler has run and may have done its work, so the outcome is
 * unknown.
 */
function invalid({ status }: HandlerResponse, problem: string): ResponseOutcome {
  return failed(
    gatewayFailure("INVALID_RESPONSE", `the tool's response can't be used: ${problem}`, {
      outcome: "unknown",
      developerMessage: `HTTP ${status}: ${problem}`,
    }),
  );
}

function failed(failure: Failure): ResponseOutcome {
  return { failure };
}

const SETUP_MESSAGE = "the tool's service rejected the call because of its configuration";
const SETUP_HINT = "continue without this tool: only its operator can change that";

/**
 * Returns the failure that the model may read. A handler that is mounted or configured incorrectly explains that to
 * people, so its texts become the developer's message. A tool's own error may have the same code as such a response,
 * but not the same status.
 */
function withoutSetupAdvice(failure: Failure, status: number): Failure {
  const { code, message, hint, details: _forDevelopers, ...others } = failure;
  if (!isErrorCode(code) || !ERROR_TABLE[code].isSetupFault || ERROR_TABLE[code].status !== status) return failure;
  const advice = [message, hint].filter((text) => text !== undefined && text !== code).join("; ");
  // To unknown callers, a handler reveals only the code.
  const developerMessage = `HTTP ${status}: ${advice === "" ? ERROR_TABLE[code].hint : advice}`;
  return { ...others, code, message: SETUP_MESSAGE, hint: SETUP_HINT, developerMessage };
}
