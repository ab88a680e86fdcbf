import { redactText } from "../redact-text.ts";

/** Longest preview of a value, in characters. */
const MAX_PREVIEW = 1_000;
/** What is read of it: more than is shown, so that a secret at the end of a preview is known for one. */
const MAX_READ = 8_000;

/** The beginning of a value as JSON, without what looks like a secret. */
export function contentPreview(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const text = redactText(whole.slice(0, MAX_READ));
  if (whole.length <= MAX_READ && text.length <= MAX_PREVIEW) return text;
  return `${text.slice(0, MAX_PREVIEW - 1)}…`;
}
