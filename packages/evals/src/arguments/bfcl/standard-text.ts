/**
 * Returns a value without what the leaderboard ignores in strings: some punctuation, case and the kind of quotation
 * mark.
 */
export function standardText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .replace(/[ ,./\-_*^]/g, "")
    .toLowerCase()
    .replaceAll("'", '"');
}
