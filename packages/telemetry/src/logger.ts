import type { Logger } from "@yagate/lib/logging/logger";
import { redactText } from "@yagate/lib/redaction/redact-text";
import { toVisibleText } from "@yagate/protocol";
import { type DestinationStream, pino } from "pino";

// The last line of defence: objects that contain secrets should not reach the log at all.
const REDACTED = [
  "authorization",
  "apiKey",
  "cookie",
  "databaseUrl",
  "headers",
  "masterKeys",
  "password",
  "secret",
  "secrets",
  "signingSecret",
  "token",
];

/**
 * Creates the gateway's logger.
 * @param destination - receives the lines; default: standard output.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    serializers: { error: serializeError },
    // Escapes control and bidirectional characters. The line remains the same JSON value.
    hooks: { streamWrite: toVisibleText },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** An error in a log line. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const MAX_CAUSES = 5;

/**
 * Serialises an error for the log: its message, code and stack, and those of its causes, with secrets redacted. Other
 * members are omitted, because libraries attach complete requests including their headers.
 */
function serializeError(error: unknown): LoggedError {
  return serialize(error, 0);
}

function serialize(error: unknown, depth: number): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: "a value that is not an Error was thrown" };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message: redactText(message),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(cause === undefined || depth === MAX_CAUSES ? {} : { cause: serialize(cause, depth + 1) }),
  };
}
