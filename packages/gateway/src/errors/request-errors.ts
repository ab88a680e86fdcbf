import { cutText } from "@yagate/lib/text/cut-text";
import { type FieldError, YagateError } from "@yagate/protocol";

/** Maximum number of reported fields, so that a response cannot be many times as large as its request. */
const MAX_FIELDS = 1_000;
/** Paths contain names from the request, and every error repeats them. */
const MAX_PATH_CHARACTERS = 500;

/**
 * A refused request with every invalid field. `INVALID_ARGUMENTS`: the arguments of a tool are invalid, with the messages
 * that a model would read. `MODEL_UNPRICED`: a cost limit needs a model with a known price.
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

/** A JSON body with forbidden field names, and the place of each. */
export class ForbiddenNamesError extends YagateError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super("MALFORMED_JSON", "expected a body without the fields __proto__ and constructor.prototype");
    this.fields = fields.map((field) => ({ ...field, path: cutPath(field.path) }));
  }
}

/** The gateway cannot take work. `fields` lists the failed checks. */
export class NotReadyError extends YagateError {
  readonly fields: readonly FieldError[];
  /** Why each check failed, for the log only, since it contains the original error texts. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Whether the gateway is stopping normally. */
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
  /** Public. */
  readonly message: string;
  /** For the log; default: the message. */
  readonly reason?: string;
}

function cutPath(path: string): string {
  return cutText(path, MAX_PATH_CHARACTERS);
}
