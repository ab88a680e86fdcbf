import { ERROR_TABLE, type ErrorCode, type Problem, YagateError } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { toProblem } from "../responses/problem.ts";
import type { Route } from "../route.ts";
import { type Json, toComponent } from "./json-schema.ts";

/** The named responses of the document. */
export type ResponseComponents = Record<string, Json>;

/** Returns the error codes with which a request to this route can fail. */
export function problemCodesOf(route: Route): readonly ErrorCode[] {
  const isOpen = route.scopes === null && route.token === undefined;
  const hasBody = route.body !== undefined || route.rawBody !== undefined;
  const hasInput = hasBody || route.query !== undefined || route.headers !== undefined;
  const isMetered = route.scopes !== null && route.isUnmetered !== true;
  const codes: readonly (ErrorCode | false)[] = [
    "MALFORMED_HEADERS",
    hasBody && "MALFORMED_JSON",
    !isOpen && "UNAUTHENTICATED",
    // Every route rejects a Host header that does not match the gateway.
    "FORBIDDEN",
    route.path.includes(":") && "NOT_FOUND",
    hasBody && "BODY_TOO_LARGE",
    hasInput && "INVALID_REQUEST",
    isMetered && "QUOTA_EXCEEDED",
    "INTERNAL",
    "UNAVAILABLE",
    ...(route.problems ?? []),
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

/** Returns the error responses of a route by status. Routes with the same codes share a response. */
export function toProblemResponses(route: Route, responses: ResponseComponents): Json {
  const byStatus = Map.groupBy(problemCodesOf(route), (code) => ERROR_TABLE[code].status);
  const refs = [...byStatus].map(([status, codes]) => [status, toProblemResponse(codes.toSorted(), responses)]);
  return { ...Object.fromEntries(refs), default: toDefault(responses) };
}

function toProblemResponse(codes: readonly ErrorCode[], responses: ResponseComponents): Json {
  const name = codes.map(toName).join("Or");
  responses[name] ??= {
    description: codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].hint}.`).join(" "),
    headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
    content: { "application/problem+json": { schema: toComponent("Problem"), example: toExample(codes) } },
    "x-yagate-codes": codes,
  };
  return { $ref: `#/components/responses/${name}` };
}

/** Returns the response for problems from newer gateways and from proxies in front of the gateway. */
function toDefault(responses: ResponseComponents): Json {
  responses["OtherProblem"] ??= {
    description:
      "Any other problem. A newer gateway may respond with statuses and codes that this document does not list.",
    content: { "application/problem+json": { schema: toComponent("Problem") } },
  };
  return { $ref: "#/components/responses/OtherProblem" };
}

/** Converts `NOT_FOUND` to `NotFound`. */
function toName(code: string): string {
  return code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toExample([code = "INTERNAL"]: readonly ErrorCode[]): Problem {
  const error =
    code === "INVALID_REQUEST"
      ? new InvalidRequestError([{ path: "name", code: "REQUIRED", message: "expected string" }])
      : new YagateError(code, ERROR_TABLE[code].hint);
  return toProblem(error, "01a1b2c3-0000-7000-8000-000000000000");
}
