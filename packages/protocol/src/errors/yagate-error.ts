import { defaultHint } from "#error-hints";
import { ERROR_TRAITS, type ErrorCode } from "./error-traits.ts";

const BRAND = Symbol.for("yagate.error");

/** Options of {@link YagateError}. */
export interface YagateErrorOptions {
  /** What to do next. Default: the hint of the code in `ERROR_TABLE`. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The error class of all Yagate packages. `code` identifies the error.
 *
 * Messages are lower case, state what was expected, and never contain a secret, a signature or a value of a payload.
 */
export class YagateError extends Error {
  override readonly name: string = "YagateError";
  readonly code: ErrorCode;
  /**
   * What to do next. In builds for edge runtimes, which contain no default hints, it is empty unless the error has a
   * custom hint.
   */
  readonly hint: string;
  /** HTTP status of the code. */
  readonly status: number;

  constructor(code: ErrorCode, message: string, options: YagateErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? defaultHint(code);
    this.status = ERROR_TRAITS[code].status;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Checks whether a value is an error of this class, also from another copy of this package (ESM and CommonJS, or two
   * versions), where `instanceof` fails.
   */
  static is(value: unknown): value is YagateError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
