import type { ServerResponse } from "node:http";
import { ERROR_TABLE, type Problem, YagateError } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";
import { ForbiddenNamesError, InvalidRequestError, NotReadyError } from "../../errors/request-errors.ts";

function hasFields(error: YagateError): error is InvalidRequestError | ForbiddenNamesError | NotReadyError {
  return [InvalidRequestError, ForbiddenNamesError, NotReadyError].some((kind) => error instanceof kind);
}

/**
 * Creates the problem for a failed request (RFC 9457). The text of an unknown error is not included.
 *
 * @param docsUrl - the URL of the published documentation. If given, the problem links to the documentation of its
 *   code.
 */
export function toProblem(error: unknown, requestId: string, docsUrl?: string): Problem {
  const known = YagateError.is(error)
    ? error
    : new YagateError("INTERNAL", "the gateway failed; its log has the details");
  return {
    type: `urn:yagate:error:${known.code}`,
    ...(docsUrl === undefined ? {} : { docs: `${docsUrl.replace(/\/+$/, "")}/errors/${known.code.toLowerCase()}/` }),
    title: titleOf(known.code),
    status: ERROR_TABLE[known.code].status,
    detail: known.message,
    code: known.code,
    requestId,
    hint: known.hint,
    ...(hasFields(known) ? { errors: [...known.fields] } : {}),
    ...(known instanceof QuotaExceededError ? quotaOf(known) : {}),
  };
}

function quotaOf({ quota, limit, used }: QuotaExceededError): Pick<Problem, "quota" | "limit" | "used"> {
  return { quota, limit, used };
}

/** @param challenge - the value of `WWW-Authenticate` if the status is 401. */
export function sendProblem(response: ServerResponse, problem: Problem, challenge: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers: Record<string, string> = { "content-type": "application/problem+json" };
  if (problem.status === 401) headers["www-authenticate"] = challenge;
  // Closed, because the unread rest of the body would otherwise be parsed as the next request.
  if (problem.code === "BODY_TOO_LARGE") headers["connection"] = "close";
  response.writeHead(problem.status, headers);
  response.end(JSON.stringify(problem));
}

const ABBREVIATIONS: ReadonlySet<string> = new Set(["DNS", "JSON", "TLS", "URL"]);

function titleOf(code: string): string {
  const words = code.split("_").map((word) => (ABBREVIATIONS.has(word) ? word : word.toLowerCase()));
  const title = words.join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}
