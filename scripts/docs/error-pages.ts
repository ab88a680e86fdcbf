import { ERROR_TABLE, type ErrorCode } from "@yagate/protocol";
import { type SitePage, toPlainText } from "./site-page.ts";

interface ErrorRow {
  readonly code: string;
  /** Markdown: when the error occurs. */
  readonly when: string;
  /** The heading above the table. */
  readonly group: string;
}

/** Reads the tables of the page of errors. */
function readErrorRows(markdown: string): readonly ErrorRow[] {
  let group = "";
  const rows: ErrorRow[] = [];
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## ")) group = toPlainText(line.slice(3));
    const [, code, when] = /^\| `([A-Z_]+)` \|.*\| ((?:<a id="[^"]*"><\/a>)?[^|]*) \|$/.exec(line) ?? [];
    if (code !== undefined && when !== undefined)
      rows.push({ code, when: when.replace(/<a id="[^"]*"><\/a>/, ""), group });
  }
  return rows;
}

/** Returns whether a code is one of the table. */
function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}

/**
 * Makes one page for each code of `ERROR_TABLE`: what it means, whether a retry helps, and what to do.
 *
 * @param markdown - `docs/errors.md`, whose tables say when each error occurs.
 * @throws Error if a code is missing on the page.
 */
export function errorPages(markdown: string): readonly SitePage[] {
  const rows = readErrorRows(markdown).filter(({ code }) => isErrorCode(code));
  const codes = Object.keys(ERROR_TABLE);
  const missing = codes.filter((code) => !rows.some((row) => row.code === code));
  if (missing.length > 0) throw new Error(`docs/errors.md does not explain ${missing.join(", ")}`);
  return codes.map((code) => toPage(code as ErrorCode, rows));
}

function toPage(code: ErrorCode, rows: readonly ErrorRow[]): SitePage {
  const { status, hint, isRetryable } = ERROR_TABLE[code];
  const own = rows.filter((row) => row.code === code);
  const causes = own.map(({ group, when }) => (own.length === 1 ? when : `**${group}.** ${when}`));
  const [first] = own;
  const body = [
    "## Cause",
    ...causes,
    "## Check",
    `| property | value |\n| --- | --- |\n| HTTP status | ${status} |\n| an automatic retry can help | ${isRetryable ? "yes" : "no"} |\n| kind | ${toPlainText(first?.group ?? "")} |`,
    "The message of the error says what was expected in your case. For an error of the HTTP API, the `requestId` finds the request in the gateway's log. For a tool call, `yagate calls show <tc_…>` shows each attempt with its error.",
    "## Fix",
    `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
    "[Handling errors](/handling-errors/) shows the fields of an error and what to do with them. [Errors](/errors/) lists all codes.",
  ];
  return {
    ...{ source: undefined, slug: `errors/${code.toLowerCase()}`, title: code },
    description: toPlainText(first?.when ?? hint).slice(0, 200),
    body: body.join("\n\n"),
  };
}
