import type { JsonValue, ToolErrorRecord } from "@yagate/protocol";

/**
 * What the model reads of a result: its JSON, cut at `maxCharacters` with a visible marker.
 *
 * @param maxCharacters - 1 or more; counted in UTF-16 code units.
 */
export function projectResult(result: JsonValue, maxCharacters: number): string {
  const text = JSON.stringify(result);
  if (text.length <= maxCharacters) return text;
  // Half of a surrogate pair is no character, and some providers refuse a request that holds one.
  const kept = text.slice(0, isHighSurrogate(text, maxCharacters - 1) ? maxCharacters - 1 : maxCharacters);
  return `${kept}\n[cut: ${text.length - kept.length} of ${text.length} characters left out]`;
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
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
