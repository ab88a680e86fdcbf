import { beginningOf, cutText } from "@yagate/lib/text/cut-text";
import { redactText } from "../redact-text.ts";

/** Longest preview of a value, in characters. */
const MAX_PREVIEW = 1_000;
/** Characters that are scanned: more than the preview, so that a secret at its end is recognised. */
const MAX_READ = 8_000;

/** The start of a value as JSON, with secrets redacted. */
export function contentPreview(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const isWhole = whole.length <= MAX_READ;
  const text = redactText(isWhole ? whole : beginningOf(whole, MAX_READ));
  if (isWhole) return cutText(text, MAX_PREVIEW);
  return `${beginningOf(text, MAX_PREVIEW - 1)}…`;
}
