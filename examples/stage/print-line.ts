import { stripVTControlCharacters, styleText } from "node:util";

/** What a line reports besides progress. */
export type LineKind = "done" | "failed" | "waiting";

const COLORS = { done: "green", failed: "red", waiting: "yellow" } as const;
/** The source of a line, such as `gateway  `. */
const SOURCE = /^(?:app|model|gateway|service) +/;
/** Minimum number of columns for the text, even on a narrower terminal. */
const MIN_COLUMNS = 20;

/**
 * Prints a line as the live log of `yagate dev` does: with colours if `FORCE_COLOR` or a terminal asks for them and
 * `NO_COLOR` does not forbid them, and on a terminal wrapped to its width.
 */
export function printLine(line: string, kind?: LineKind): void {
  const columns = process.stdout.isTTY === true ? process.stdout.columns : undefined;
  for (const text of wrapLine(line, columns)) console.log(colored(text, kind));
}

/**
 * Wraps a line at spaces. Further lines are indented to the text after the source.
 *
 * @param columns - the width of the terminal; undefined: the line is not wrapped.
 */
export function wrapLine(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined) return [line];
  const [source = ""] = SOURCE.exec(line) ?? [];
  const width = Math.max(MIN_COLUMNS, columns - source.length);
  const lines: string[] = [];
  for (const paragraph of line.slice(source.length).split("\n")) {
    let rest = paragraph;
    while (rest.length > width) {
      const space = rest.lastIndexOf(" ", width);
      const end = space > 0 ? space : width;
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    lines.push(rest);
  }
  return lines.map((text, index) => (index === 0 ? source : " ".repeat(source.length)) + text);
}

function colored(line: string, kind: LineKind | undefined): string {
  // The model and the services write parts of the text.
  const plain = stripVTControlCharacters(line);
  const [source = ""] = SOURCE.exec(plain) ?? [];
  const stream = process.stdout;
  const text = plain.slice(source.length);
  const label = source === "" ? "" : styleText("dim", source, { stream });
  return label + (kind === undefined ? text : styleText(COLORS[kind], text, { stream }));
}
