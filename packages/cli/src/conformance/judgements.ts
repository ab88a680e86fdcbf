import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { SIGNATURE_HEADER } from "@yagate/protocol";
import { elapsed } from "../text/duration.ts";
import { field, textField } from "../verify/json-fields.ts";
import type { Answer, Exchange } from "./wire/exchange.ts";

/** Returns the JSON in a response, or `undefined` if it contains none. */
export function jsonOf({ body }: Answer): unknown {
  return parseJsonOrUndefined(body.toString("utf8"));
}

/** Returns the code of the `error` in a response. */
export function errorCodeOf(exchange: Exchange): string | undefined {
  return exchange.kind === "answer" ? textField(field(jsonOf(exchange), "error"), "code") : undefined;
}

/** Describes the outcome of a request, without the content of the response, which may be private. */
export function told(exchange: Exchange): string {
  if (exchange.kind === "closed") return `closed the connection without a response (${exchange.code})`;
  if (exchange.kind === "silent") return `did not respond within ${elapsed(exchange.tookMs)}`;
  const code = errorCodeOf(exchange);
  return `responded with ${exchange.status}${code !== undefined && /^[\w.-]{1,64}$/.test(code) ? ` ${code}` : ""}`;
}

/**
 * Returns the fault of a response to a genuine call; undefined for a result, an error of the tool, or a deferred
 * result.
 */
export function acceptedFault(exchange: Exchange): string | undefined {
  if (exchange.kind !== "answer") return `it ${told(exchange)}`;
  if (exchange.status < 200 || exchange.status > 299) return `it ${told(exchange)}`;
  const json = jsonOf(exchange);
  if (exchange.status === 202 && field(json, "pending") === true) return undefined;
  const isResult = field(json, "result") !== undefined;
  const isError = textField(field(json, "error"), "code") !== undefined;
  if (isResult !== isError) return undefined;
  if (json === undefined) return `it responded with ${exchange.status} and a body that is not JSON`;
  return `it responded with ${exchange.status} and ${isResult ? "both result and error" : "neither result nor error"}`;
}

/** How a handler responds to genuine calls. */
export interface AnswerTraits {
  /** False if the tool fails with the chosen arguments. */
  readonly hasResult: boolean;
  readonly isSigned: boolean;
}

export function traitsOf(answer: Answer): AnswerTraits {
  const hasResult = field(jsonOf(answer), "result") !== undefined;
  return { hasResult, isSigned: answer.headers.has(SIGNATURE_HEADER) };
}

/** Returns the fault of a response to a genuine call, compared with responses to similar calls. */
export function genuineFault(exchange: Exchange, expected: AnswerTraits): string | undefined {
  const fault = acceptedFault(exchange);
  if (fault !== undefined || exchange.kind !== "answer") return fault;
  const { hasResult, isSigned } = traitsOf(exchange);
  if (expected.hasResult && !hasResult) return `it ${told(exchange)} without a result`;
  return expected.isSigned && !isSigned ? "the response has no X-YA-Signature, unlike others" : undefined;
}

/** Statuses after which the gateway retries a call. */
const RETRIED = [408, 425, 429];

/** Checks whether a response only requests that the call be sent again later. */
export function isToldToWait({ status }: Answer): boolean {
  return RETRIED.includes(status) || status === 503;
}

/**
 * Returns the fault of a response to a call that must be rejected; undefined for a 4xx after which the gateway does not
 * retry.
 */
export function refusedFault(exchange: Exchange): string | undefined {
  if (exchange.kind !== "answer") return `it ${told(exchange)}; expected a 4xx status`;
  const { status } = exchange;
  if (status >= 400 && status <= 499 && !RETRIED.includes(status)) return undefined;
  const isRun = status >= 200 && status <= 299 && field(jsonOf(exchange), "result") !== undefined;
  if (isRun) return `it responded with ${status} and a result: the call ran`;
  return `it ${told(exchange)}; expected a 4xx status${status >= 500 ? ", after which a gateway does not try again" : ""}`;
}

/** Returns the fault of a response for which only a server error counts as a failure. */
export function serverFault(exchange: Exchange): string | undefined {
  if (exchange.kind === "answer" && exchange.status < 500) return undefined;
  return `it ${told(exchange)}`;
}

/** Checks whether two responses are equal, by status and parsed JSON. */
export function isSameAnswer(left: Exchange, right: Exchange): boolean {
  if (left.kind !== "answer" || right.kind !== "answer" || left.status !== right.status) return false;
  const [leftJson, rightJson] = [jsonOf(left), jsonOf(right)];
  if (leftJson === undefined || rightJson === undefined) return left.body.equals(right.body);
  return sortedText(leftJson) === sortedText(rightJson);
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (!isJsonObject(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
