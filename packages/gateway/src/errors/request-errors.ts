import { cutText } from "@yagate/lib/text/cut-text";
import { type FieldError, YagateError } from "@yagate/protocol";

/** Maximum number of reported fields. It keeps a response from growing to many times the size of its request. */
const MAX_FIELDS = 1_000;
/** Maximum length of a path. Paths contain names from the request, and every error repeats them. */
const MAX_PATH_CHARACTERS = 500;

/**
 * A rejected request, with every invalid field. `INVALID_ARGUMENTS`: the arguments of a tool are invalid; the messages
 * are those that a model would read. `MODEL_UNPRICED`: a cost limit requires a model with a known price.
 */
export class InvalidRequestError extends YagateError {
  readonly fields: readonly FieldError[];

  constructor(
    fields: readonly FieldError[],
    code: "INVALID_REQUEST" | "INVALID_ARGUMENTS" | "CONFLICT" | "MODEL_UNPRICED" = "INVALID_REQUEST",
    message = "the request has fields that are wrong, missing or unknown; see errors",
  ) {
    super(code, message);
    this.fields = fields.slice(0, MAX_FIELDS).map((field) => ({ ...field, path: cutPath(field.path) }));
  }
}

/** A JSON body with forbidden field names, and the path of each. */
export class ForbiddenNamesError extends YagateError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super("MALFORMED_JSON", "expected a body without the fields __proto__ and constructor.prototype");
    this.fields = fields.map((field) => ({ ...field, path: cutPath(field.path) }));
  }
}

/** The gateway can't accept work. `fields` lists the failed checks. */
export class NotReadyError extends YagateError {
  readonly fields: readonly FieldError[];
  /** The reason why each check failed. For the log only, because it contains the original error messages. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Whether the gateway is shutting down normally. */
  readonly isDraining: boolean;

  constructor(failures: readonly NotReady[], { isDraining = false } = {}) {
    const fields = failures.map(({ check, message }) => ({ path: check, code: "NOT_READY", message }));
    super("UNAVAILABLE", `the gateway is not ready: ${fields.map(({ path }) => path).join(", ")}; see errors`);
    this.fields = fields;
    this.reasons = Object.fromEntries(failures.map(({ check, message, reason = message }) => [check, reason]));
    this.isDraining = isDraining;
  }
}

/** A failed readiness check. */
export interface NotReady {
  readonly check: string;
  /** The message that the API may show. */
  readonly message: string;
  /** The message for the log; default: `message`. */
  readonly reason?: string;
}

function cutPath(path: string): string {
  return cutText(path, MAX_PATH_CHARACTERS);
}
