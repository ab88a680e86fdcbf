import { writeCodeBlock } from "./code-block.ts";
import { attributeOf, elementsOf, type HtmlElement, isElement } from "./html-tree.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { writeInline } from "./write-inline.ts";
import { writeRows } from "./write-rows.ts";

const MAX_COLUMNS = 100;
const MAX_ROWS = 5_000;
const MAX_CELLS = 50_000;
const GROUPS = new Set(["thead", "tbody", "tfoot"]);
/** Elements that do not fit into a Markdown cell. */
const TOO_LARGE = new Set(["table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "figure", "dl", "blockquote"]);

interface Row {
  readonly cells: readonly HtmlElement[];
  readonly isHead: boolean;
}

/**
 * Converts a data table to a Markdown table, and a layout table to the content of its cells. Several header rows are
 * merged into one. A cell that spans rows is repeated in each row; a cell that spans columns appears only in the first
 * of them.
 */
export function writeTable(
  table: HtmlElement,
  context: MarkdownContext,
  blocksOf: (cell: HtmlElement) => readonly string[],
): string[] {
  const rows = rowsOf(table, context);
  const listing = listingOf(rows);
  if (listing !== undefined) return writeCodeBlock(listing, context);
  const caption = table.children.find((child) => isElement(child) && child.name === "caption");
  const captionBlocks =
    caption !== undefined && isElement(caption) && !context.isLeftOut(caption) ? blocksOf(caption) : [];
  if (!isData(table, rows))
    return [...captionBlocks, ...rows.flatMap(({ cells }) => cells.flatMap(blocksOf)), ...blocksOf(straysOf(table))];

  const { head, body } = gridOf(rows, context);
  const written = writeRows(head, body);
  return [...captionBlocks, ...(written === "" ? [] : [written]), ...blocksOf(straysOf(table))];
}

/** Returns the content of a table that is outside all cells. */
function straysOf(table: HtmlElement): HtmlElement {
  const known = new Set([...GROUPS, "tr", "caption", "colgroup", "col", "td", "th"]);
  const children = table.children.filter((child) => (isElement(child) ? !known.has(child.name) : child.trim() !== ""));
  return { ...table, name: "div", children, attributes: new Map() };
}

function rowsOf(table: HtmlElement, context: MarkdownContext): Row[] {
  const rows: Row[] = [];
  const loose: HtmlElement[] = [];
  const add = (row: HtmlElement, isHead: boolean) => {
    if (context.isLeftOut(row)) return;
    const cells = row.children.filter(
      (cell): cell is HtmlElement =>
        isElement(cell) && (cell.name === "td" || cell.name === "th") && !context.isLeftOut(cell),
    );
    if (cells.length > 0) rows.push({ cells, isHead: isHead || cells.every(({ name }) => name === "th") });
  };
  for (const child of table.children) {
    if (!isElement(child) || context.isLeftOut(child)) continue;
    if (child.name === "tr") add(child, false);
    else if (child.name === "td" || child.name === "th") loose.push(child);
    else if (GROUPS.has(child.name)) {
      for (const row of child.children) if (isElement(row) && row.name === "tr") add(row, child.name === "thead");
    }
  }
  if (loose.length > 0) rows.push({ cells: loose, isHead: false });
  return rows;
}

/** Returns the listing in a table that only separates the listing from its line numbers. */
function listingOf(rows: readonly Row[]): HtmlElement | undefined {
  const [row] = rows;
  if (rows.length !== 1 || row === undefined || row.cells.length !== 2) return undefined;
  const [numbers, code] = row.cells;
  if (numbers === undefined || code === undefined) return undefined;
  const isGutter = /linenos?|gutter|lineno/i.test(attributeOf(numbers, "class"));
  return isGutter ? elementsOf(code).find(({ name }) => name === "pre") : undefined;
}

function isData(table: HtmlElement, rows: readonly Row[]): boolean {
  const role = attributeOf(table, "role").toLowerCase();
  if (role === "presentation" || role === "none" || rows.length === 0) return false;
  const columns = Math.max(...rows.slice(0, MAX_ROWS).map(({ cells }) => cells.length));
  const cells = rows.flatMap((row) => row.cells);
  if (columns < 2) return rows.length > 1 && rows[0]?.isHead === true && !cells.some(isTooLarge);
  const tooLarge = cells.filter(isTooLarge).length;
  const says =
    cells.some(({ name }) => name === "th") || table.children.some((c) => isElement(c) && c.name === "caption");
  if (says)
    return (
      tooLarge <= cells.length * 0.2 &&
      !cells.some((cell) => elementsOf(cell).some((one) => one.name === "h1" || one.name === "table"))
    );
  return tooLarge === 0 && (rows.length > 1 || columns > 2);
}

function isTooLarge(cell: HtmlElement): boolean {
  let paragraphs = 0;
  for (const { name } of elementsOf(cell)) {
    if (TOO_LARGE.has(name)) return true;
    if (name === "p" || name === "li" || name === "pre") paragraphs += 1;
  }
  return paragraphs > 12;
}

/** Arranges the cells by rows and columns. */
function gridOf(rows: readonly Row[], context: MarkdownContext): { head: string[]; body: string[][] } {
  const kept = rows.slice(0, MAX_ROWS);
  if (kept.length < rows.length) context.onCut();
  const headRows = Math.max(
    0,
    kept.findIndex(({ isHead }) => !isHead),
  );
  const grid: string[][] = kept.map(() => []);
  const taken: boolean[][] = kept.map(() => []);
  let cells = 0;
  for (const [y, row] of kept.entries()) {
    let x = 0;
    for (const cell of row.cells) {
      while (taken[y]?.[x] === true) x += 1;
      const width = spanOf(cell, "colspan", MAX_COLUMNS);
      const height = Math.min(spanOf(cell, "rowspan", 1_000), kept.length - y);
      if (x + width > MAX_COLUMNS || cells > MAX_CELLS) {
        context.onCut();
        break;
      }
      const text = writeInline(cell.children, {
        ...context,
        isCell: true,
        isHeading: y < headRows || cell.name === "th",
      });
      for (let down = 0; down < height; down += 1) {
        for (let right = 0; right < width; right += 1) {
          const line = grid[y + down];
          const marks = taken[y + down];
          if (line === undefined || marks === undefined) continue;
          marks[x + right] = true;
          line[x + right] = right === 0 || y < headRows ? text : "";
          cells += 1;
        }
      }
      x += width;
    }
  }
  const head = mergedHead(grid.slice(0, headRows));
  return { head, body: grid.slice(headRows) };
}

/** Merges header rows into one, with upper headings first. */
function mergedHead(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, x) => {
    const parts = rows.map((row) => row[x] ?? "").filter((part, at, all) => part !== "" && all.indexOf(part) === at);
    return parts.join(" / ");
  });
}

function spanOf(cell: HtmlElement, name: string, most: number): number {
  const span = Number.parseInt(attributeOf(cell, name), 10);
  return Number.isSafeInteger(span) && span > 0 ? Math.min(span, most) : 1;
}
