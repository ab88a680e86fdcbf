import { defaultHint } from "#error-hints";
import { ERROR_TRAITS, type ErrorCode } from "./error-traits.ts";

const BRAND = Symbol.for("yagate.error");

/** Options for {@link YagateError}. */
export interface YagateErrorOptions {
  /** What to do next. Default: the code's hint in `ERROR_TABLE`. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The error class of all Yagate packages. `code` identifies the error.
 *
 * Messages are lower case, state what was expected, and never contain a secret, a signature or a value from a payload.
 */
export class YagateError extends Error {
  override readonly name: string = "YagateError";
  readonly code: ErrorCode;
  /**
   * What to do next. Builds for edge runtimes contain no default hints; there, it is empty unless the error has a
   * custom hint.
   */
  readonly hint: string;
  /** The HTTP status for the code. */
  readonly status: number;

  constructor(code: ErrorCode, message: string, options: YagateErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? defaultHint(code);
    this.status = ERROR_TRAITS[code].status;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Checks whether a value is an error of this class. Unlike `instanceof`, it also recognises errors from another copy
   * of this package (ESM and CommonJS, or two versions).
   */
  static is(value: unknown): value is YagateError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
