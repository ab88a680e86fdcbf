import { gatewayFailure } from "@yagate/calls/failure";
import { decodeUtf8, readResponseJson } from "@yagate/calls/read-response";
import { REDACTED } from "@yagate/calls/send-call";
import type { CallAnswer, Failure } from "@yagate/execution-machine/call-outcome";
import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { cutText } from "@yagate/lib/text/cut-text";
import {
  ERROR_TABLE,
  type ErrorCode,
  type HandlerError,
  type HandlerToolDefinition,
  handlerErrorSchema,
  isErrorCode,
  type JsonValue,
  verifyAnswerSignature,
  YagateError,
} from "@yagate/protocol";

/** A response that was read completely and whose signature, if it needs one, is valid. */
interface HandlerResponse {
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

/**
 * Checks the signature of a response. A signature must be valid if present, and a tool may require one.
 *
 * @param header - value of the response's `X-YA-Signature`.
 * @param secrets - the tool's live signing secrets.
 * @returns the reason why the response must not be trusted; undefined if it may be. A promise only if there is a
 *   signature.
 */
export function refuseSignature(
  header: string | undefined,
  { tool, toolCallId }: { readonly tool: HandlerToolDefinition; readonly toolCallId: string },
  { status, body }: { readonly status: number; readonly body: Uint8Array },
  secrets: readonly string[],
): Failure | undefined | Promise<Failure | undefined> {
  if (header !== undefined) return refuseUnlessValid(header, { toolCallId, status, body }, secrets);
  if (tool.requireSignedAnswer !== true) return undefined;
  return refusal("it must be signed, but it is not", `SIGNATURE_MISSING: ${describeUnsigned(status, body)}`);
}

async function refuseUnlessValid(
  header: string,
  response: { readonly toolCallId: string; readonly status: number; readonly body: Uint8Array },
  secrets: readonly string[],
): Promise<Failure | undefined> {
  try {
    await verifyAnswerSignature(header, response, secrets);
    return undefined;
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    return refusal("its signature is wrong", error.code);
  }
}

function refusal(why: string, developerMessage: string): Failure {
  return gatewayFailure("INVALID_RESPONSE_SIGNATURE", `the tool's response can't be trusted: ${why}`, {
    outcome: "unknown",
    developerMessage,
  });
}

/** Maximum size in bytes of a body that is searched for an error of the handler kit. */
const MAX_REFUSAL_BYTES = 4_096;

/**
 * Describes, for the developer only, why a response may be unsigned. An unsigned response proves nothing, but a handler
 * with a different secret has no other way to report the difference.
 */
function describeUnsigned(status: number, body: Uint8Array): string {
  const code = claimedCode(body);
  if (code === undefined) return `HTTP ${status}, without a signature`;
  const advice =
    code === "SIGNATURE_MISMATCH" ? "the handler probably has a different signing secret" : ERROR_TABLE[code].hint;
  return `HTTP ${status}, without a signature, claims ${code} (not verified): ${advice}`;
}

function claimedCode(body: Uint8Array): ErrorCode | undefined {
  if (body.byteLength > MAX_REFUSAL_BYTES) return undefined;
  const json = readResponseJson(decodeUtf8(body));
  const error = json.isReadable ? answerErrorOf(json.value) : undefined;
  return error?.kind === "valid" && isUnsignedCode(error.error.code) ? error.error.code : undefined;
}

function isUnsignedCode(code: string): code is ErrorCode {
  return isErrorCode(code) && ERROR_TABLE[code].isUnsigned;
}

const MAX_MESSAGE_CHARACTERS = 2_000;
const MAX_HINT_CHARACTERS = 1_000;
const MAX_DETAILS_BYTES = 16_384;

/** The `error` member of a response. For a malformed one, `field` is the field's path, never its value. */
type AnswerError =
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

/** Length of the prefix that shows that a secret may be present. Secrets of the same kind share this prefix. */
const PREFIX_LENGTH = 6;

/**
 * Removes secrets that a handler echoes, such as its signing secrets and the token of its callback. They must never
 * reach a model or a log.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const isPossible = secrets.some((secret) => text.includes(secret.slice(0, PREFIX_LENGTH))) || text.includes("\\u00");
  if (!isPossible) return text;
  return secrets.reduce((redacted, secret) => redacted.replaceAll(patternOf(secret), REDACTED), text);
}

/**
 * Matches a secret in every form in which a JSON writer may encode it: each character literally or as a hexadecimal
 * escape, and slashes also with a backslash.
 */
function patternOf(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const code = character.charCodeAt(0);
    const hex = code
      .toString(16)
      .padStart(4, "0")
      .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const literal = `\\x${code.toString(16).padStart(2, "0")}`;
    return `(?:${character === "/" ? `\\\\?${literal}` : literal}|\\\\u${hex})`;
  });
  return new RegExp(characters.join(""), "g");
}
