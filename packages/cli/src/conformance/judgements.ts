import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { SIGNATURE_HEADER } from "@yagate/protocol";
import { field, textField } from "../verify/json-fields.ts";
import type { Answer, Exchange } from "./wire/exchange.ts";

/** The JSON of an answer, or `undefined`. */
export function jsonOf({ body }: Answer): unknown {
  return parseJsonOrUndefined(body.toString("utf8"));
}

/** The code of an `error` in an answer. */
export function errorCodeOf(exchange: Exchange): string | undefined {
  return exchange.kind === "answer" ? textField(field(jsonOf(exchange), "error"), "code") : undefined;
}

/** What happened, in words: without the content of the answer, which may be private. */
export function told(exchange: Exchange): string {
  if (exchange.kind === "closed") return `closed the connection without an answer (${exchange.code})`;
  if (exchange.kind === "silent") return `did not answer within ${seconds(exchange.tookMs)}`;
  const code = errorCodeOf(exchange);
  return `answered ${exchange.status}${code !== undefined && /^[\w.-]{1,64}$/.test(code) ? ` ${code}` : ""}`;
}

export function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

/** What is wrong with the answer to a genuine call; nothing when it is a result, an error of the tool, or pending. */
export function acceptedFault(exchange: Exchange): string | undefined {
  if (exchange.kind !== "answer") return `it ${told(exchange)}`;
  if (exchange.status < 200 || exchange.status > 299) return `it ${told(exchange)}`;
  const json = jsonOf(exchange);
  if (exchange.status === 202 && field(json, "pending") === true) return undefined;
  const isResult = field(json, "result") !== undefined;
  const isError = textField(field(json, "error"), "code") !== undefined;
  if (isResult !== isError) return undefined;
  if (json === undefined) return `it answered ${exchange.status} with a body that is no JSON`;
  return `it answered ${exchange.status} with ${isResult ? "both result and error" : "neither result nor error"}`;
}

/** How a handler answers genuine calls. */
export interface AnswerTraits {
  /** False where the tool fails with the parameters that were chosen. */
  readonly hasResult: boolean;
  readonly isSigned: boolean;
}

export function traitsOf(answer: Answer): AnswerTraits {
  const hasResult = field(jsonOf(answer), "result") !== undefined;
  return { hasResult, isSigned: answer.headers.has(SIGNATURE_HEADER) };
}

/** What is wrong with an answer to a genuine call of which it is known what its like were answered. */
export function genuineFault(exchange: Exchange, expected: AnswerTraits): string | undefined {
  const fault = acceptedFault(exchange);
  if (fault !== undefined || exchange.kind !== "answer") return fault;
  const { hasResult, isSigned } = traitsOf(exchange);
  if (expected.hasResult && !hasResult) return `it ${told(exchange)} without a result`;
  return expected.isSigned && !isSigned ? "the answer has no X-YA-Signature, which others have" : undefined;
}

/** Statuses that the gateway takes for "try again". */
const RETRIED = [408, 425, 429];

/** Whether an answer says no more than that the call may come again. */
export function isToldToWait({ status }: Answer): boolean {
  return RETRIED.includes(status) || status === 503;
}

/** What is wrong with the answer to a call that must be refused; nothing when it is a 4xx that is not sent again. */
export function refusedFault(exchange: Exchange): string | undefined {
  if (exchange.kind !== "answer") return `it ${told(exchange)}; expected a status of 4xx`;
  const { status } = exchange;
  if (status >= 400 && status <= 499 && !RETRIED.includes(status)) return undefined;
  const isRun = status >= 200 && status <= 299 && field(jsonOf(exchange), "result") !== undefined;
  if (isRun) return `it answered ${status} with a result: the call was run`;
  return `it ${told(exchange)}; expected a status of 4xx${status >= 500 ? ", which is not sent again" : ""}`;
}

/** What is wrong when anything is allowed but a failure of the server itself. */
export function serverFault(exchange: Exchange): string | undefined {
  if (exchange.kind === "answer" && exchange.status < 500) return undefined;
  return `it ${told(exchange)}`;
}

/** Whether two answers are the same: status, and the JSON that they hold, however it is written. */
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
