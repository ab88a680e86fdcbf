import { toVisibleLine } from "@yagate/protocol";
import { displayWidth } from "./display-width.ts";

/**
 * Lines with the cells of a column below each other; the first row is the heading. Each row is one line, whatever its
 * cells hold.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map(toVisibleLine));
  const last = Math.max(...lines.map((row) => row.length)) - 1;
  const widths = Array.from({ length: last }, (_, column) =>
    Math.max(...lines.map((row) => displayWidth(row[column] ?? ""))),
  );
  const pad = (cell: string, width = 0) => cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
  return lines.map((row) => row.map((cell, column) => pad(cell, widths[column])).join("  ")).join("\n");
}
