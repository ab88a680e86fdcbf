/** Quotes a text for a POSIX shell if it needs quotes, for commands that users copy. */
export function shellWord(text: string): string {
  return /^[\w.,:=/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
