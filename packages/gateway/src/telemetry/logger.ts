import type { Logger } from "@yagate/lib/logging/logger";
import { toVisibleText } from "@yagate/protocol";
import { type DestinationStream, pino } from "pino";
import { serializeError } from "./serialize-error.ts";

// The last line of defence: nothing that holds a secret is meant to reach a log at all.
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

/** @param destination - where lines go; standard output otherwise. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: REDACTED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    serializers: { error: serializeError },
    // A line is JSON, which stays the same; on a terminal nothing in it turns or hides a text.
    hooks: { streamWrite: toVisibleText },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
