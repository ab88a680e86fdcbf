/** What a line of a document is; `start` and `end` hold its words without indent and markers. */
export type LineKind =
  | { readonly kind: "blank" | "skipped" | "code" | "underline" }
  | { readonly kind: "fence"; readonly marker: string }
  | {
      readonly kind: "text" | "item" | "heading";
      readonly start: number;
      readonly end: number;
      readonly indent: number;
    };

/** Of indented code, in columns. */
export const CODE_INDENT = 4;

/** What tells a kind stands at the beginning of a line; the rest of a long one is not looked at. */
const HEAD_CHARACTERS = 400;
const FENCE = /^(`{3,}|~{3,})/;
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,}|\^{3,}|"{3,}|#{3,}|\*{3,}|_{3,}|\+{3,}|\.{3,})\s*$/;
const QUOTE = /^(?:>\s?){1,8}/;
const ATX = /^(#{1,6}|={1,6})\s+/;
const ITEM = /^(?:[-*+•◦▪‣–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+/;
/** Markup on a line of its own, link definitions, images, directives, shortcodes, comments. */
const MARKUP =
  /^(?:<\/?[a-z!?][^<>]*>\s*$|<!--|\[[^\]]{1,80}\]:\s|!\[[^\]]{0,200}\]\([^)]{0,300}\)\s*$|\.\.\s|:[\w-]{1,40}:(?:\s|$)|\{\{[^{}]*\}\}\s*$|\{%[^{}]*%\}\s*$|@[a-z]+\b)/i;
const TABLE = /^(?:\|.*\||\+[-=+]{3,}\+|[-:| ]*\|[-:| ]*)\s*$/;
const CODE_SIGNS = /[{}()[\];=<>$\\|&@#`]/g;

/** @param mayBeCode - whether an indented line is code here: after a blank one, and not within a list. */
export function lineKind(text: string, start: number, end: number, mayBeCode: boolean): LineKind {
  const head = text.slice(start, Math.min(end, start + HEAD_CHARACTERS));
  const [spaces = ""] = /^\s*/.exec(head) ?? [];
  const quote = QUOTE.exec(head.slice(spaces.length))?.[0] ?? "";
  const words = head.slice(spaces.length + quote.length).trimStart();
  const from = start + (head.length - head.slice(spaces.length + quote.length).trimStart().length);
  if (words === "") return end - start > HEAD_CHARACTERS ? textAt(text, from, end, 0) : { kind: "blank" };
  const fence = FENCE.exec(words)?.[1];
  if (fence !== undefined) return { kind: "fence", marker: fence.slice(0, 3) };
  if (UNDERLINE.test(words)) return { kind: "underline" };
  if (MARKUP.test(words) || TABLE.test(words) || isTableRow(words)) return { kind: "skipped" };
  const indent = spaces.replace(/\t/g, "    ").length;
  if (indent >= CODE_INDENT && mayBeCode && looksLikeCode(words)) return { kind: "code" };
  const atx = ATX.exec(words)?.[0];
  if (atx !== undefined) return { ...textAt(text, from + atx.length, end, indent), kind: "heading" };
  const item = ITEM.exec(words)?.[0];
  if (item !== undefined) return { ...textAt(text, from + item.length, end, indent), kind: "item" };
  return textAt(text, from, end, indent);
}

function textAt(text: string, start: number, end: number, indent: number) {
  let last = end;
  while (last > start && /\s/.test(text.charAt(last - 1))) last -= 1;
  return { kind: "text" as const, start, end: last, indent };
}

function isTableRow(words: string): boolean {
  return words.split(" | ").length > 2 || words.split("\t").length > 3;
}

function looksLikeCode(words: string): boolean {
  const signs = words.match(CODE_SIGNS)?.length ?? 0;
  return signs * 12 > words.length || /^(?:\$|#|>>>|\/\/|import |def |function |const |let |var )/.test(words);
}
