import { CODE_INDENT, lineKind } from "./line-kind.ts";

/** Running text between two breaks, or a heading. */
export interface TextBlock {
  readonly kind: "prose" | "item" | "heading";
  /** Of its first character in the whole text. */
  readonly start: number;
  /** As long as its place in the text; line breaks, indents and markers of quotes are spaces. */
  readonly text: string;
}

interface Line {
  /** Where its words begin, and where they end. */
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/** A longer line is a paragraph of its own: nobody wraps there. */
const MAX_WRAPPED = 200;
/** More lines than any paragraph has; what goes on after them is another block. */
const MAX_LINES = 500;
const MAX_HEADING = 90;
/** Of two lines one may be the rest of the other. */
const LEAST_SEPARATE = 3;
/** Share of lines that end as sentences do, where none has to. */
const MAX_ENDED = 0.2;
const ENDS_SENTENCE = /[.!?…。！？؟।॥។။։;:,，、：；](?:["'”’»›)\]）」』*_]*)$/u;
const STARTS_SENTENCE = /^[\p{Lu}\p{N}"“„«¿¡([]/u;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * The running text of a plain, Markdown or reStructuredText document, in its order. Code, tables, front matter, markup
 * on lines of its own and rules are left out.
 */
export function* readBlocks(text: string): Generator<TextBlock> {
  let lines: Line[] = [];
  let kind: TextBlock["kind"] = "prose";
  let fence = "";
  let isAfterBlank = true;
  let isInCode = false;
  let place = skipFrontMatter(text);

  function* flush(): Generator<TextBlock> {
    if (lines.length === 0) return;
    if (kind === "prose" && areSeparate(text, lines)) {
      for (const line of lines) yield { kind, ...toBlock(text, [line]) };
      lines = [];
      return;
    }
    const isAlone = lines.length === 1 && kind === "prose" && looksLikeHeading(text, lines[0]);
    yield { kind: isAlone ? "heading" : kind, ...toBlock(text, lines) };
    lines = [];
    kind = "prose";
  }

  while (place < text.length) {
    const newline = text.indexOf("\n", place);
    const end = newline === -1 ? text.length : newline;
    const line = lineKind(text, place, end, isAfterBlank && kind !== "item");
    place = end + 1;
    if (fence !== "") {
      if (line.kind === "fence" && line.marker.startsWith(fence)) fence = "";
      continue;
    }
    isAfterBlank = line.kind === "blank";
    if (isInCode && "indent" in line && line.indent >= CODE_INDENT) continue;
    isInCode = line.kind === "code";
    switch (line.kind) {
      case "fence":
        yield* flush();
        fence = line.marker;
        break;
      case "underline":
        if (lines.length === 1 && kind === "prose") kind = "heading";
        yield* flush();
        break;
      case "blank":
      case "code":
      case "skipped":
        yield* flush();
        break;
      case "heading":
        yield* flush();
        kind = "heading";
        lines.push(line);
        yield* flush();
        break;
      case "item":
        yield* flush();
        kind = "item";
        lines.push(line);
        break;
      case "text":
        if (endsBlock(text, lines, line)) yield* flush();
        lines.push(line);
        break;
    }
  }
  yield* flush();
}

/** Whether the line before is no part of the same paragraph: too long to be wrapped, or too short to have been. */
function endsBlock(text: string, lines: readonly Line[], next: Line): boolean {
  const last = lines.at(-1);
  if (last === undefined) return false;
  const length = last.end - last.start;
  if (length > MAX_WRAPPED || lines.length >= MAX_LINES) return true;
  const words = text.slice(last.start, last.end);
  if (ENDS_SENTENCE.test(words) || !STARTS_SENTENCE.test(text.slice(next.start, next.start + 2))) return false;
  const longest = Math.max(next.end - next.start, ...lines.map((line) => line.end - line.start));
  return length < (WIDE.test(words) ? 20 : 45) && length < longest * 0.6;
}

/**
 * Whether each line stands for itself, as in notes and logs: hardly any ends as sentences do or as lines of verse, and all
 * begin one, or there was room for more in most of them.
 */
function areSeparate(text: string, lines: readonly Line[]): boolean {
  if (lines.length < LEAST_SEPARATE) return false;
  const words = lines.map(({ start, end }) => text.slice(start, end));
  if (countOf(words, (line) => ENDS_SENTENCE.test(line)) > words.length * MAX_ENDED) return false;
  if (words.every((line) => STARTS_SENTENCE.test(line))) return true;
  const longest = Math.max(...words.map((line) => line.length));
  const hasRoom = (line: string, next = "") => line.length + 1 + next.search(/\s|$/) <= longest;
  const withRoom = countOf(words.slice(0, -1), (line, at) => hasRoom(line, words[at + 1]));
  return !words.some((line) => WIDE.test(line)) && withRoom > (words.length - 1) / 2;
}

function countOf(lines: readonly string[], isCounted: (line: string, at: number) => boolean): number {
  return lines.filter(isCounted).length;
}

function looksLikeHeading(text: string, line: Line | undefined): boolean {
  if (line === undefined || line.end - line.start > MAX_HEADING) return false;
  const words = text.slice(line.start, line.end);
  return !ENDS_SENTENCE.test(words) && words.split(/\s+/).length <= 14 && (!WIDE.test(words) || words.length <= 40);
}

function toBlock(text: string, lines: readonly Line[]): Pick<TextBlock, "start" | "text"> {
  const start = lines[0]?.start ?? 0;
  let joined = "";
  for (const line of lines) {
    joined = joined.padEnd(line.start - start, " ") + text.slice(line.start, line.end);
  }
  return { start, text: joined };
}

function skipFrontMatter(text: string): number {
  const fence = /^(---|\+\+\+)\r?\n/.exec(text.slice(0, 5))?.[1];
  if (fence === undefined) return 0;
  const end = text.slice(0, 20_000).indexOf(`\n${fence}`, 3);
  return end === -1 ? 0 : end + 1 + fence.length;
}
