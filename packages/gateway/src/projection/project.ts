import type { ToolErrorRecord } from "@yagate/protocol";
import { pieceOf } from "../artifacts/text-piece.ts";

/**
 * What the model reads of a failure: everything but the developer's own message, cut with a visible marker.
 *
 * @param maxCharacters - 1 or more; counted in UTF-16 code units, without the marker.
 */
export function projectError(error: ToolErrorRecord, maxCharacters: number): string {
  const { code, message, hint, retryable, outcome, details } = error;
  const text = JSON.stringify({
    error: {
      code,
      message,
      retryable,
      outcome,
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    },
  });
  if (text.length <= maxCharacters) return text;
  // Half of a surrogate pair is no character, and some providers refuse a request that holds one.
  const kept = pieceOf(text, 0, maxCharacters).text;
  return `${kept}\n[cut: ${text.length - kept.length} of ${text.length} characters left out]`;
}
