import type { JsonValue, ToolErrorRecord } from "@yagate/protocol";

/**
 * What the model reads of a result: its JSON, cut at `maxCharacters` with a visible marker.
 *
 * @param maxCharacters - 1 or more; counted in UTF-16 code units.
 */
export function projectResult(result: JsonValue, maxCharacters: number): string {
  const text = JSON.stringify(result);
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters)}\n[cut: ${text.length - maxCharacters} of ${text.length} characters left out]`;
}

/** What the model reads of a failure: everything but the developer's own message. */
export function projectError(error: ToolErrorRecord): string {
  const { code, message, hint, retryable, outcome, details } = error;
  return JSON.stringify({
    error: {
      code,
      message,
      retryable,
      outcome,
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    },
  });
}
