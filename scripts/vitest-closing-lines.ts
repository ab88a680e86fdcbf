/** The lines in which Vitest states how many tests ran, as it printed them. */
export function closingLines(output: string): readonly string[] {
  const lines = output.split("\n").filter((line) => /^\s*(Test Files|Tests|Errors|Duration)\s/.test(line));
  if (!lines.some((line) => /^\s*Tests\s.*\b[1-9]\d* passed/.test(line))) {
    throw new Error(`vitest did not say that any test passed:\n${output}`);
  }
  return lines;
}
