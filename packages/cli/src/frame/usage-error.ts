import { YagateError } from "@yagate/protocol";

const API_KEY_ADVICE =
  "an API key is never an argument: it is now in the history of your shell, so rotate it, and use --api-key-file";

/** Creates the error for an invalid command line. Text after a `=` is not repeated, because it may be a secret. */
export function usageError(message: string): YagateError {
  const text = message.replace(/^error: /, "").replace(/(unknown option '--?[\w-]+)=[^\n]*'/, "$1'");
  const hint = text.startsWith("unknown option '--api-key'") ? { hint: API_KEY_ADVICE } : {};
  return new YagateError("INVALID_REQUEST", text, hint);
}
