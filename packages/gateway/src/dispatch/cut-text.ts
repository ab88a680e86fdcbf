/** At most `maxCharacters` UTF-16 code units of a text, with a visible mark where the rest was. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const kept = text.slice(0, maxCharacters - 1);
  // Half of a surrogate pair can't be stored as UTF-8.
  return `${kept.replace(/[\uD800-\uDBFF]$/, "")}…`;
}
