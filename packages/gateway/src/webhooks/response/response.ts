import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { isJsonObject } from "@yagate/lib/json/json-object";
import type { JsonValue } from "@yagate/protocol";
import { gatewayFailure } from "../../calls/failure.ts";
import type { CallAnswer, Failure } from "../../calls/port.ts";
import { readResponseJson } from "../../calls/response-json.ts";
import { type AnswerError, answerErrorOf, handlerFailure } from "./handler-error.ts";
import { withoutSetupAdvice } from "./setup-refusal.ts";

/** An answer that was read in full and whose signature, if it matters, is right. */
export interface Answer {
  /** 200 or more. */
  readonly status: number;
  /** The tool may say that its result comes later. */
  readonly isAsync: boolean;
  /** Undefined: the bytes were not UTF-8. */
  readonly text: string | undefined;
  readonly retryAfter: string | undefined;
  /** ms since the epoch. */
  readonly now: number;
}

type ResponseOutcome = CallAnswer;

/** What an answer means: the table of the wire contract, row by row. */
export function classifyResponse(answer: Answer): ResponseOutcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return interpretSuccess(answer);
  if (status >= 300 && status < 400) {
    const message = "the tool's service redirects instead of answering";
    return failed(gatewayFailure("REDIRECT_REFUSED", message, { outcome: "none", developerMessage: `HTTP ${status}` }));
  }
  if (status >= 600) return invalid(answer, "expected an HTTP status from 100 to 599");
  return failed(interpretFailure(answer));
}

function interpretSuccess(answer: Answer): ResponseOutcome {
  const json = readResponseJson(answer.text);
  if (!json.isReadable) return invalid(answer, json.problem);
  const { value } = json;
  if (!isJsonObject(value)) {
    return invalid(answer, "the body is not an object");
  }
  const error = answerErrorOf(value);
  const result = Object.hasOwn(value, "result") ? value["result"] : undefined;
  if (error.kind === "absent") {
    if (result !== undefined) return { result };
    if (!isPending(answer, value)) return invalid(answer, "the body has neither a result nor an error");
    return answer.isAsync ? { pending: true } : invalid(answer, "only asynchronous tools may answer pending");
  }
  if (result !== undefined) return invalid(answer, "the body has both a result and an error");
  if (error.kind === "malformed") return invalid(answer, `${error.field} is not as expected`);
  return failed(handlerFailure(error.error, error.error.retryable === true));
}

function isPending({ status }: Answer, value: { readonly [key: string]: JsonValue }): boolean {
  return status === 202 && Object.hasOwn(value, "pending") && value["pending"] === true;
}

function interpretFailure(answer: Answer): Failure {
  const { status, now } = answer;
  const json = readResponseJson(answer.text);
  const error: AnswerError = json.isReadable ? answerErrorOf(json.value) : { kind: "absent" };
  const mayHelpLater = isRetryableStatus(status);
  const retryAfterMs = mayHelpLater ? parseRetryAfter(answer.retryAfter, now) : undefined;
  const delay = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (error.kind === "valid") {
    const failure = handlerFailure(error.error, mayHelpLater && error.error.retryable !== false);
    return { ...withoutSetupAdvice(failure, status), ...delay };
  }
  // Only an answer that says nothing of an error disables the endpoint: an order can be gone too.
  if (status === 410 && error.kind === "absent") {
    return gatewayFailure("HANDLER_GONE", "the tool's service says that it is gone for good", { outcome: "none" });
  }
  const problem = error.kind === "malformed" ? `; ${error.field} is not as expected` : "";
  return gatewayFailure("HANDLER_ERROR", `the tool's service answered with HTTP ${status}`, {
    outcome: "none",
    isRetryable: mayHelpLater,
    developerMessage: `HTTP ${status} without an error body of the wire contract${problem}`,
    ...delay,
  });
}

/** The handler has run, but what it said can't be told: it may have done its work. */
function invalid({ status }: Answer, problem: string): ResponseOutcome {
  return failed(
    gatewayFailure("INVALID_RESPONSE", `the tool's answer can't be used: ${problem}`, {
      outcome: "unknown",
      developerMessage: `HTTP ${status}: ${problem}`,
    }),
  );
}

function failed(failure: Failure): ResponseOutcome {
  return { failure };
}
