/** A Markdown heading. */
export interface MarkdownHeading {
  /** The level, from 1 to 6. */
  readonly level: number;
  /** The text without the markup around it; may be empty. */
  readonly title: string;
}

const MAX_INDENT = 3;
const MAX_LEVEL = 6;

/** Parses a line such as `## A heading ##`. Returns `undefined` for any other line. Takes linear time. */
export function readHeading(line: string): MarkdownHeading | undefined {
  let start = 0;
  while (start < MAX_INDENT && line.charAt(start) === " ") start += 1;
  let marks = start;
  while (line.charAt(marks) === "#") marks += 1;
  const level = marks - start;
  if (level === 0 || level > MAX_LEVEL || line.charAt(marks).trim() !== "" || marks === line.length) return undefined;
  const rest = line.slice(marks).trim();
  let end = rest.length;
  while (rest.charAt(end - 1) === "#") end -= 1;
  // The last `#` of C# belongs to the text.
  const isClosed = end < rest.length && (end === 0 || rest.charAt(end - 1).trim() === "");
  return { level, title: isClosed ? rest.slice(0, end).trimEnd() : rest };
}
