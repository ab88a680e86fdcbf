import type { ToolErrorRecord } from "@yagate/protocol";

/** All of a failure that a model may read, as JSON: everything but the developer's own message. */
export function errorText({ code, message, hint, retryable, outcome, details }: ToolErrorRecord): string {
  return JSON.stringify({ error: { code, message, retryable, outcome, hint, details } });
}
