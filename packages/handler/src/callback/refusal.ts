import { isObject } from "@yagate/lib/json/json-object";
import { type ErrorCode, isErrorCode, YagateError } from "@yagate/protocol/calls";

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  409: "CONFLICT",
  410: "GONE",
  413: "BODY_TOO_LARGE",
};

/** Hints for the API's codes, in terms of the delivery of a result. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: "send the token that came with this call; tokens of other calls are not valid",
  CONFLICT: "another result was delivered first, and the first one is final",
  GONE: "the call no longer waits for this result: it has expired, was cancelled or has ended",
  BODY_TOO_LARGE: "send a smaller result, such as a link to it",
};

/** Creates the error for a response after which sending the result again would be pointless. */
export async function toRefusal(response: Response): Promise<YagateError> {
  const { status } = response;
  const problem: unknown = await response.json().catch(() => undefined);
  const named = textOf(problem, "code");
  const code = named !== undefined && isErrorCode(named) ? named : (CODES[status] ?? "INVALID_REQUEST");
  const detail = textOf(problem, "detail") ?? `the callback failed with status ${status}`;
  const hint = HINTS[code];
  return new YagateError(code, detail, hint === undefined ? {} : { hint });
}

function textOf(value: unknown, field: string): string | undefined {
  if (!isObject(value)) return undefined;
  const member: unknown = Object.getOwnPropertyDescriptor(value, field)?.value;
  return typeof member === "string" ? member : undefined;
}
