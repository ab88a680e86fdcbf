import { beginningOf, cutText } from "@yagate/lib/text/cut-text";
import { redactText } from "../redact-text.ts";

/** Longest preview of a value, in characters. */
const MAX_PREVIEW = 1_000;
/** What is read of it: more than is shown, so that a secret at the end of a preview is known for one. */
const MAX_READ = 8_000;

/** The beginning of a value as JSON, without what looks like a secret. */
export function contentPreview(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const isWhole = whole.length <= MAX_READ;
  const text = redactText(isWhole ? whole : beginningOf(whole, MAX_READ));
  if (isWhole) return cutText(text, MAX_PREVIEW);
  return `${beginningOf(text, MAX_PREVIEW - 1)}…`;
}
