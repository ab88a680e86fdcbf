import { joinLines } from "../join-lines.ts";

/** Writes rows as a Markdown table. Without headings, the header row is empty. */
export function writeRows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const width = Math.max(head.length, ...body.map((row) => row.length));
  if (width === 0 || (body.length === 0 && head.every((cell) => cell === ""))) return "";
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, x) => escapeCell(row[x] ?? "")).join(" | ")} |`;
  const rows = body.filter((row) => row.some((cell) => cell !== ""));
  return [line(head), `|${" --- |".repeat(width)}`, ...rows.map(line)].join("\n");
}

/** Escapes text for a table cell. */
function escapeCell(text: string): string {
  return joinLines(text, "<br>").replaceAll("|", "\\|");
}
