import { toVisibleLine } from "@yagate/protocol";
import { styled } from "../frame/style-text.ts";
import { cutToWidth, displayWidth } from "./display-width.ts";

const GAP = "  ";
/** The minimum width of a column; a narrower one shows too little. */
const MIN_COLUMN = 8;

/** The part of standard output that determines the width of a table. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Formats rows as aligned columns; the first row is the heading. Each row is one line, whatever its cells contain. On a
 * terminal, the columns fit its width; elsewhere, nothing is cut.
 */
export function table(
  rows: readonly (readonly string[])[],
  { isTTY = false, columns: available = 80 }: Screen = process.stdout,
): string {
  const lines = rows.map((row) => row.map(toVisibleLine));
  const columns = Math.max(...lines.map((row) => row.length));
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((row) => displayWidth(row[column] ?? ""))),
  );
  const widths = isTTY ? fitted(natural, available) : natural;
  const texts = lines.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === row.length - 1 ? cutToWidth(cell, width) : padded(cutToWidth(cell, width), width);
      })
      .join(GAP),
  );
  return texts.map((text, index) => (index === 0 ? styled("bold", text) : text)).join("\n");
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
}

/** Narrows the widest column until the row fits. The first column stays complete, because it identifies the row. */
function fitted(natural: readonly number[], available: number): readonly number[] {
  const [first = 0, ...widths] = natural;
  const room = available - first - widths.length * GAP.length;
  let total = widths.reduce((sum, width) => sum + width, 0);
  while (total > room) {
    const widest = Math.max(...widths);
    if (widest <= MIN_COLUMN) break;
    // If several columns are equally wide, narrows the last one: text at the end of a row matters least.
    widths[widths.lastIndexOf(widest)] = widest - 1;
    total -= 1;
  }
  return [first, ...widths];
}
