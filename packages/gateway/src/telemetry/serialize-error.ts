import { redactText } from "./redact-text.ts";

/** What a log line tells of an error. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const MAX_CAUSES = 5;

/**
 * An error for the log: its own words and those of its causes, without what looks like a secret. Other members are left
 * out: libraries hang whole requests on their errors, headers included.
 */
export function serializeError(error: unknown): LoggedError {
  return serialize(error, 0);
}

function serialize(error: unknown, depth: number): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: "thrown, and no error" };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message: redactText(message),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(cause === undefined || depth === MAX_CAUSES ? {} : { cause: serialize(cause, depth + 1) }),
  };
}
