/** Joins the lines of a text: each run of white space that contains a line end becomes `glue`. */
export function joinLines(text: string, glue: string): string {
  const lines = text.split("\n");
  const last = lines.length - 1;
  if (last === 0) return text;
  // Not a regular expression, because it would take quadratic time on runs of spaces.
  const between = lines
    .slice(1, last)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return [lines[0]?.trimEnd(), ...between, lines[last]?.trimStart()].join(glue);
}
