import { type ErrorCode, YagateError } from "@yagate/protocol";

/**
 * A call without a result. `outcome` is `none` if the tool has certainly not run, else `unknown`.
 */
export class McpCallError extends YagateError {
  readonly outcome: "none" | "unknown";

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly outcome: "none" | "unknown"; readonly cause?: unknown },
  ) {
    super(code, message, { cause: options.cause });
    this.outcome = options.outcome;
  }
}
