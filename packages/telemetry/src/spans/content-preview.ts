import { redactText } from "@yagate/lib/redaction/redact-text";
import { beginningOf, cutText } from "@yagate/lib/text/cut-text";

/** Maximum length of a preview, in characters. */
const MAX_PREVIEW = 1_000;
/**
 * Maximum number of characters that are scanned. It is larger than a preview, so that a secret at the end of the
 * preview is recognised.
 */
const MAX_READ = 8_000;

/** Returns the start of a value as JSON, with secrets redacted. */
export function contentPreview(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const isWhole = whole.length <= MAX_READ;
  const text = redactText(isWhole ? whole : beginningOf(whole, MAX_READ));
  if (isWhole) return cutText(text, MAX_PREVIEW);
  return `${beginningOf(text, MAX_PREVIEW - 1)}…`;
}
