import { beginningOf, wholeAt } from "@yagate/lib/text/cut-text";
import { readHeading } from "../markdown-heading.ts";

/** A part of a document that is shown completely or not at all. */
export interface Passage {
  /** UTF-16 offsets in the document's text; `text` is exactly that range. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: "text" | "table" | "code";
  /** The headings above the passage, outermost first. */
  readonly headings: readonly string[];
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly kind: Passage["kind"] | "heading";
}

/** Maximum number of characters that are read from a document. */
const MAX_CHARACTERS = 150_000;
const MAX_PASSAGE_CHARACTERS = 900;
const JOINED_CHARACTERS = 350;
const MAX_HEADING_CHARACTERS = 150;
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/**
 * Splits Markdown or plain text into passages. Short paragraphs are merged and long ones are split by sentences; tables
 * and code stay complete.
 */
export function passagesOf(document: string): readonly Passage[] {
  const text = document.slice(0, MAX_CHARACTERS);
  const passages: Passage[] = [];
  let headings: readonly { readonly level: number; readonly title: string }[] = [];
  let open: { start: number; end: number } | undefined;
  const add = (start: number, end: number, kind: Passage["kind"]) => {
    passages.push({ start, end, text: text.slice(start, end), kind, headings: headings.map(({ title }) => title) });
  };
  const close = () => {
    if (open !== undefined) for (const [start, end] of sentencesOf(text, open.start, open.end)) add(start, end, "text");
    open = undefined;
  };
  for (const block of blocksOf(text)) {
    if (block.kind === "heading") {
      close();
      // This space replaces the trailing white space, which the block does not include.
      const { level = 1, title = "" } = readHeading(`${text.slice(block.start, block.end)} `) ?? {};
      const short = beginningOf(title, MAX_HEADING_CHARACTERS);
      headings = headings.filter((outer) => outer.level < level);
      if (short !== "") headings = [...headings, { level, title: short }];
    } else if (block.kind !== "text") {
      close();
      add(block.start, block.end, block.kind);
    } else {
      if (open !== undefined && open.end - open.start >= JOINED_CHARACTERS) close();
      if (open !== undefined && block.end - open.start > MAX_PASSAGE_CHARACTERS) close();
      open = { start: open?.start ?? block.start, end: block.end };
    }
  }
  close();
  return passages;
}

/** Splits a text into blocks of consecutive lines that are not blank. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let start = -1;
  let end = -1;
  let fence: string | undefined;
  let isTable = false;
  const close = () => {
    if (start >= 0) blocks.push({ start, end, kind: fence !== undefined ? "code" : isTable ? "table" : "text" });
    start = -1;
  };
  for (const { 0: line, index } of text.matchAll(/[^\n]+|\n(?=\n)/g)) {
    const lineEnd = index + line.trimEnd().length;
    const [, mark] = /^\s{0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (lineEnd > index) end = lineEnd;
      if (mark?.startsWith(fence) === true && line.trim() === mark) {
        close();
        fence = undefined;
      }
      continue;
    }
    if (mark !== undefined) {
      close();
      [start, end, fence] = [index, lineEnd, mark];
      continue;
    }
    const content = line.trim();
    if (content === "") {
      close();
      continue;
    }
    if (readHeading(line) !== undefined) {
      close();
      blocks.push({ start: index, end: lineEnd, kind: "heading" });
      continue;
    }
    const isRow = content.length > 1 && content.startsWith("|") && content.endsWith("|");
    if (start >= 0 && isRow !== isTable) close();
    if (start < 0) [start, isTable] = [index, isRow];
    end = lineEnd;
  }
  close();
  return blocks;
}

function sentencesOf(text: string, start: number, end: number): readonly (readonly [number, number])[] {
  if (end - start <= MAX_PASSAGE_CHARACTERS) return [[start, end]];
  const parts: [number, number][] = [];
  let from = start;
  let to = start;
  const close = () => {
    const part = text.slice(from, to);
    const trimmed = part.trim();
    const offset = part.length - part.trimStart().length;
    if (trimmed !== "") parts.push([from + offset, from + offset + trimmed.length]);
    from = to;
  };
  for (const { index, segment } of SENTENCES.segment(text.slice(start, end))) {
    if (start + index + segment.length - from > MAX_PASSAGE_CHARACTERS && to > from) close();
    to = start + index + segment.length;
    // A text without sentences is cut at the maximum length.
    while (to - from > 2 * MAX_PASSAGE_CHARACTERS) {
      const rest = to;
      to = wholeAt(text, from + MAX_PASSAGE_CHARACTERS);
      close();
      to = rest;
    }
  }
  close();
  return parts;
}
