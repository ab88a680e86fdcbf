import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../scripts/repository-root.ts";

/** One row of a table: its cells by the names of the columns, code spans without their quotes. */
export type TableRow = Readonly<Record<string, string>>;

/**
 * The rows of all tables of a page whose columns are these, in order.
 *
 * @param page - from the repository's root.
 * @param section - only tables below this heading, up to the next of its level or above; the whole page by default.
 */
export function tableRows(page: string, columns: readonly string[], section?: string): readonly TableRow[] {
  const lines = sectionLines(readFileSync(join(repositoryRoot, page), "utf8"), section);
  const rows: TableRow[] = [];
  let isInside = false;
  for (const line of lines) {
    const cells = cellsOf(line);
    if (cells === undefined) isInside = false;
    else if (cells.join() === columns.join()) isInside = true;
    else if (isInside && !cells.every((cell) => /^-+$/.test(cell))) {
      rows.push(Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])));
    }
  }
  if (rows.length === 0) throw new Error(`${page}: expected a table with the columns ${columns.join(", ")}`);
  return rows;
}

function sectionLines(markdown: string, section: string | undefined): readonly string[] {
  const lines = markdown.split("\n");
  if (section === undefined) return lines;
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === section);
  const level = /^#+/.exec(lines[start] ?? "")?.[0].length;
  if (level === undefined) throw new Error(`expected a heading "${section}"`);
  const end = lines.findIndex((line, index) => index > start && new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(start + 1, end === -1 ? undefined : end);
}

function cellsOf(line: string): readonly string[] | undefined {
  if (!line.startsWith("|")) return undefined;
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/^`([^`]+)`$/, "$1"));
}
