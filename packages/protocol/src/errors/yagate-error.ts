import { defaultHint } from "#error-hints";
import { ERROR_TRAITS, type ErrorCode } from "./error-traits.ts";

const BRAND = Symbol.for("yagate.error");

/** Options of {@link YagateError}. */
export interface YagateErrorOptions {
  /** What to do next; the code's default of `ERROR_TABLE` otherwise. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The one error class of all Yagate packages; `code` says which error it is.
 *
 * Messages are lower case, say what was expected, and never hold a secret, a signature or a value of a payload.
 */
export class YagateError extends Error {
  override readonly name: string = "YagateError";
  readonly code: ErrorCode;
  /** What to do next. Builds for edge runtimes hold no defaults: there it is empty unless the error has one of its own. */
  readonly hint: string;
  /** HTTP status that belongs to the code. */
  readonly status: number;

  constructor(code: ErrorCode, message: string, options: YagateErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? defaultHint(code);
    this.status = ERROR_TRAITS[code].status;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Recognises an error across copies of this package (ESM and CommonJS, two versions), where `instanceof` fails. */
  static is(value: unknown): value is YagateError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
