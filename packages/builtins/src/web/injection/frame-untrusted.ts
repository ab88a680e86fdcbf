import { frameText } from "@yagate/protocol";

/** Matches a frame mark with any nonce, because the model might believe a forged mark. */
const MARK = /\[\s*(?:begin|end)\s+untrusted\s+content\b[^\]\n]{0,80}\]?/gi;

/** The text that replaces marks in the content itself. */
export const REMOVED_MARK = "[a forged mark was removed here]";

/**
 * Encloses untrusted content in two marks that are unique to this result. The content cannot close its frame: it
 * existed before the nonce was generated, and marks in it are removed.
 *
 * @param nonce - 128 random bits in hex, generated for this call.
 */
export function frameUntrusted(text: string, nonce: string): string {
  return frameText(text, nonce, {
    begin: `[begin untrusted content ${nonce}]`,
    end: `[end untrusted content ${nonce}]`,
    withoutMarks: (inner) => inner.replace(MARK, REMOVED_MARK),
  });
}
