import { redactText } from "../redact-text.ts";

/** Longest preview of a value, in characters. */
const MAX_PREVIEW = 1_000;

/** The beginning of a value as JSON, without what looks like a secret. */
export function contentPreview(value: unknown): string {
  const text = redactText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return text.length <= MAX_PREVIEW ? text : `${text.slice(0, MAX_PREVIEW - 1)}…`;
}
