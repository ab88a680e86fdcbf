import { beginningOf } from "@yagate/lib/text/cut-text";
import { parse } from "csv-parse/sync";
import type { ContentWarning, ReadDocument } from "../../port.ts";
import { cleanText, invisibleWarnings } from "../clean-text.ts";
import { writeRows } from "../html/write-rows.ts";
import { sniffDelimiter } from "./sniff-delimiter.ts";

const MAX_ROWS = 10_000;
const MAX_COLUMNS = 200;
const MAX_CELL_CHARACTERS = 2_000;
/** Maximum length of a line. A longer line means that the document is not a readable table. */
const MAX_LINE_CHARACTERS = 100_000;
const MAX_CHARACTERS = 4_194_304;

/** Converts delimited values to a Markdown table whose heading is the first row. */
export function readCsv(raw: string, contentType: string | undefined): ReadDocument {
  const { text, invisible } = cleanText(raw);
  const warnings: ContentWarning[] = [...invisibleWarnings(invisible)];
  const bounded = text.slice(0, MAX_CHARACTERS);
  const delimiter = sniffDelimiter(bounded, contentType);
  const rows = hasLongLine(bounded) ? undefined : rowsOf(bounded, delimiter);
  if (rows === undefined) {
    warnings.push({
      code: "INVALID_CSV",
      message: "the document can't be split into rows, so it is returned as text",
    });
    return { format: "text", text, links: [], warnings };
  }
  const isWide = rows.some((row) => row.length > MAX_COLUMNS);
  const isLong = rows.length > MAX_ROWS || text.length > MAX_CHARACTERS;
  if (isLong || isWide) {
    const message = `only the first ${MAX_ROWS} rows, ${MAX_COLUMNS} columns and ${MAX_CHARACTERS} characters are returned`;
    warnings.push({ code: "TABLE_CUT", message });
  }
  const [head = [], ...body] = rows
    .slice(0, MAX_ROWS)
    .map((row) => row.slice(0, MAX_COLUMNS).map((cell) => beginningOf(cell, MAX_CELL_CHARACTERS).toWellFormed()));
  return { format: "csv", text: writeRows(head, body), links: [], warnings };
}

/** Returns whether a line is too long. The parser's own limit does not apply to empty rows. */
function hasLongLine(text: string): boolean {
  let from = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
    if (end - from > MAX_LINE_CHARACTERS) return true;
    from = end + 1;
  }
  return text.length - from > MAX_LINE_CHARACTERS;
}

function rowsOf(text: string, delimiter: string): string[][] | undefined {
  try {
    const options = {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_LINE_CHARACTERS,
      to: MAX_ROWS + 1,
    };
    const rows: unknown = parse(text, options);
    return Array.isArray(rows) ? rows.map((row: unknown) => (Array.isArray(row) ? row.map(String) : [])) : undefined;
  } catch {
    return undefined;
  }
}
