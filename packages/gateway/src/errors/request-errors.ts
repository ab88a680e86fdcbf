import { cutText } from "@yagate/lib/text/cut-text";
import { type FieldError, YagateError } from "@yagate/protocol";

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
