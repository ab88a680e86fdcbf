import { isObject } from "@yagate/lib/json/json-object";
import { type HandlerError, handlerErrorCodeSchema, type JsonValue, YagateError } from "@yagate/protocol/calls";

const BRAND = Symbol.for("yagate.tool-error");

/** Options for {@link ToolError}. */
export interface ToolErrorOptions {
  /**
   * Whether the gateway may send the same call again. Default false: the error is final, and duplicates of the call get
   * the same response.
   */
  readonly retryable?: boolean | undefined;
  /** What the model should do next. */
  readonly hint?: string | undefined;
  /** Further details for the model, as JSON. */
  readonly details?: JsonValue | undefined;
  /** The underlying error, for the handler's log only. It is never sent. */
  readonly cause?: unknown;
}

/**
 * The error that a tool throws to explain why it failed. The model reads all of it except the cause, and the gateway
 * logs it, so it must not contain secrets or stack traces. Any other error of a tool becomes `INTERNAL`, without its
 * message.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` if the code is not 1 to 64 characters from `A-Z a-z 0-9 _ . -`.
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: string;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly details: JsonValue | undefined;

  /**
   * @param code - a stable code of your own, such as `ORDER_NOT_FOUND`.
   * @param message - what happened, for the model to read.
   */
  constructor(code: string, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (!handlerErrorCodeSchema.safeParse(code).success) {
      throw new YagateError("INVALID_REQUEST", "a ToolError's code must consist of 1 to 64 letters, digits, _, . or -");
    }
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.hint = options.hint;
    this.details = options.details;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Checks whether a value is a `ToolError`. Unlike `instanceof`, this also recognises errors from another copy of this
   * package (ESM and CommonJS, or two versions).
   */
  static is(value: unknown): value is ToolError {
    return isObject(value) && BRAND in value;
  }

  /** Returns the error in the form in which it is sent to the gateway. */
  toJSON(): HandlerError {
    return {
      code: this.code,
      message: this.message,
      ...(this.retryable && { retryable: true }),
      ...(this.hint !== undefined && { hint: this.hint }),
      ...(this.details !== undefined && { details: this.details }),
    };
  }
}
