import { frameText } from "@yagate/protocol";

/** A mark of a frame, whoever wrote it; a look-alike with another nonce is still one that a reader might believe. */
const MARK = /\[\s*(?:begin|end)\s+untrusted\s+content\b[^\]\n]{0,80}\]?/gi;

/** What stands in the place of a mark that the content itself brought. */
export const REMOVED_MARK = "[a forged mark stood here]";

/**
 * Puts what strangers wrote between two marks that only this answer has. The content can't end its frame: it was written
 * before the nonce was drawn, and marks of its own are taken out.
 *
 * @param nonce - drawn for this call alone, 128 bits of chance in hex.
 */
export function frameUntrusted(text: string, nonce: string): string {
  return frameText(text, nonce, {
    begin: `[begin untrusted content ${nonce}]`,
    end: `[end untrusted content ${nonce}]`,
    withoutMarks: (inner) => inner.replace(MARK, REMOVED_MARK),
  });
}
