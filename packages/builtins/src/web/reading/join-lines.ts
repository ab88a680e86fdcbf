/** The lines of a text as one, with `glue` for each run of white space that holds an end of a line. */
export function joinLines(text: string, glue: string): string {
  const lines = text.split("\n");
  const last = lines.length - 1;
  if (last === 0) return text;
  // An expression for that would look at each blank of a run as often as the run is long.
  const between = lines
    .slice(1, last)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return [lines[0]?.trimEnd(), ...between, lines[last]?.trimStart()].join(glue);
}
