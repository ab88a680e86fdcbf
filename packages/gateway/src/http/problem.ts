import type { ServerResponse } from "node:http";
import { cutText } from "@yagate/lib/text/cut-text";
import { ERROR_TABLE, type FieldError, type Problem, YagateError } from "@yagate/protocol";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";

/** Reported at most, so that an answer can't be many times as large as its request. */
const MAX_FIELDS = 1_000;
/** A path is made of names that the request chose, and each of its errors would repeat them. */
const MAX_PATH_CHARACTERS = 500;

/**
 * A request that its schema refused, with every wrong field. `INVALID_ARGUMENTS`: what is wrong are the arguments of a tool,
 * as a model that calls it would be told. `MODEL_UNPRICED`: a limit of cost, and no price by which it could hold.
 */
export class InvalidRequestError extends YagateError {
  readonly fields: readonly FieldError[];

  constructor(
    fields: readonly FieldError[],
    code: "INVALID_REQUEST" | "INVALID_ARGUMENTS" | "MODEL_UNPRICED" = "INVALID_REQUEST",
    message = "the request has fields that are wrong, missing or unknown; see errors",
  ) {
    super(code, message);
    this.fields = fields.slice(0, MAX_FIELDS).map((field) => ({ ...field, path: cutPath(field.path) }));
  }
}

/** A body that is JSON with names that no object may have, with the place of each. */
export class ForbiddenNamesError extends YagateError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super("MALFORMED_JSON", "expected a body without the fields __proto__ and constructor.prototype");
    this.fields = fields.map((field) => ({ ...field, path: cutPath(field.path) }));
  }
}

/** The gateway can't take work: the checks that failed stand where wrong fields would. */
export class NotReadyError extends YagateError {
  readonly fields: readonly FieldError[];
  /** Why each check failed, for the log alone: in the words of whatever threw. */
  readonly reasons: Readonly<Record<string, string>>;
  /** The gateway is being stopped, and nothing is wrong. */
  readonly isDraining: boolean;

  constructor(failures: readonly NotReady[], { isDraining = false } = {}) {
    const fields = failures.map(({ check, message }) => ({ path: check, code: "NOT_READY", message }));
    super("UNAVAILABLE", `the gateway is not ready: ${fields.map(({ path }) => path).join(", ")}; see errors`);
    this.fields = fields;
    this.reasons = Object.fromEntries(failures.map(({ check, message, reason = message }) => [check, reason]));
    this.isDraining = isDraining;
  }
}

/** A check that failed. */
export interface NotReady {
  readonly check: string;
  /** For everybody. */
  readonly message: string;
  /** For the log; default: the message. */
  readonly reason?: string;
}

function cutPath(path: string): string {
  return cutText(path, MAX_PATH_CHARACTERS);
}

function hasFields(error: YagateError): error is InvalidRequestError | ForbiddenNamesError | NotReadyError {
  return [InvalidRequestError, ForbiddenNamesError, NotReadyError].some((kind) => error instanceof kind);
}

/**
 * The answer to a failed request (RFC 9457). What is not our own error is told without its text.
 *
 * @param docsUrl - where the documentation is published; the problem then links to its code.
 */
export function toProblem(error: unknown, requestId: string, docsUrl?: string): Problem {
  const known = YagateError.is(error)
    ? error
    : new YagateError("INTERNAL", "something went wrong inside the gateway; its log has the details");
  return {
    type: `urn:yagate:error:${known.code}`,
    ...(docsUrl === undefined ? {} : { docs: `${docsUrl.replace(/\/+$/, "")}/errors#${known.code}` }),
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

export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers: Record<string, string> = { "content-type": "application/problem+json" };
  if (problem.status === 401) headers["www-authenticate"] = 'Bearer realm="yagate"';
  // The rest of a body that nobody reads would be taken for the next request.
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
