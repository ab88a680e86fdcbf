import { withCommandName } from "../command-name.ts";

export type Row = readonly [label: string, text: string];

const MAX_WIDTH = 110;
const MIN_TEXT = 30;
/** The maximum width of a label that shares a line with its text. */
const MAX_LABEL = 32;
const INDENT = 2;

/** Formats a heading, and rows with aligned texts. Empty if there are no rows. */
export function section(heading: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const labelWidth = Math.max(...rows.map(([label]) => (label.length > MAX_LABEL ? 0 : label.length)));
  const column = INDENT + labelWidth + 2;
  const lines = rows.flatMap(([label, text]) => {
    const [first = "", ...more] = linesOf(text, Math.max(MIN_TEXT, width() - column));
    const rest = more.map((line) => " ".repeat(column) + line);
    const start = " ".repeat(INDENT) + label;
    if (label.length > labelWidth) return [start, " ".repeat(column) + first, ...rest];
    return [`${start.padEnd(column)}${first}`, ...rest];
  });
  return [`${heading}:`, ...lines].join("\n");
}

/** Formats a paragraph. */
export function wrapped(text: string): string {
  return linesOf(text, width()).join("\n");
}

function width(): number {
  return process.stdout.isTTY ? Math.min(MAX_WIDTH, process.stdout.columns) : MAX_WIDTH;
}

function linesOf(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of withCommandName(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
