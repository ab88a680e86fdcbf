import { withoutHalfAtEnd } from "@yagate/lib/text/cut-text";
import { readHeading } from "../../markdown-heading.ts";

/** A part of a document that is indexed separately. */
export interface Passage {
  /** The headings above the passage, outermost first, joined by ` › `; empty before the first heading. */
  readonly heading: string;
  /**
   * The verbatim text. The passages joined by blank lines are the document again, except for the number of blank lines.
   */
  readonly text: string;
}

/** Preferred length of a passage. A paragraph, list or table stays complete up to the maximum length. */
const WANTED_CHARACTERS = 1_000;
const MOST_CHARACTERS = 2_000;
const MAX_HEADING_CHARACTERS = 200;

const FENCE = /^ {0,3}(```+|~~~+)/;

/**
 * Splits a text at its Markdown headings, and then each section at blank lines. Lines that start with `#` in code are
 * not headings.
 */
export function splitPassages(text: string): readonly Passage[] {
  return sectionsOf(text).flatMap(({ heading, lines }) =>
    packParagraphs(lines).map((part) => ({ heading, text: part })),
  );
}

/** Returns the first heading of a text, which is the default title. */
export function firstHeading(text: string): string | undefined {
  for (const line of text.slice(0, 10_000).split("\n")) {
    const title = plainHeading(readHeading(line)?.title ?? "");
    if (title !== "") return title;
  }
  return undefined;
}

interface Section {
  readonly heading: string;
  readonly lines: string[];
}

function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [{ heading: "", lines: [] }];
  const path: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    const found = fence === undefined ? readHeading(line) : undefined;
    if (found !== undefined) {
      const { level, title } = found;
      path.length = Math.min(path.length, level - 1);
      while (path.length < level - 1) path.push("");
      path.push(plainHeading(title));
      const heading = path.filter((part) => part !== "").join(" › ");
      sections.push({ heading: heading.slice(-MAX_HEADING_CHARACTERS), lines: [] });
    }
    sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** Removes Markdown markup for emphasis, code and links. */
function plainHeading(text: string): string {
  return text
    .slice(0, MAX_HEADING_CHARACTERS * 2)
    .replace(/!?\[([^\][]*)\]\([^)[]*\)/g, "$1")
    .replace(/[`*]|\{#[^{}]*\}/g, "")
    .trim();
}

function packParagraphs(lines: readonly string[]): readonly string[] {
  const paragraphs = lines
    .join("\n")
    .split(/\n[ \t]*\n+/)
    .flatMap(cutLong)
    .map((part) => part.trimEnd())
    .filter((part) => part !== "");
  const packed: string[] = [];
  let open = "";
  for (const paragraph of paragraphs) {
    const isFull = open.length >= WANTED_CHARACTERS || open.length + paragraph.length > MOST_CHARACTERS;
    if (open !== "" && isFull) {
      packed.push(open);
      open = paragraph;
    } else open = open === "" ? paragraph : `${open}\n\n${paragraph}`;
  }
  // A lone heading is not a passage, unless the document has nothing else.
  if (open !== "") packed.push(open);
  return packed;
}

/** Splits a long paragraph at lines, sentences or spaces. */
function cutLong(paragraph: string): readonly string[] {
  const parts: string[] = [];
  let rest = paragraph;
  while (rest.length > MOST_CHARACTERS) {
    const head = rest.slice(0, MOST_CHARACTERS);
    const at = [/\n/g, /[.!?]\s|[。！？]/g, /\s/g]
      .map((boundary) => lastMatchEnd(head, boundary))
      .find((end) => end > 0);
    const end = at ?? withoutHalfAtEnd(head).length;
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end);
  }
  parts.push(rest);
  return parts;
}

/** Returns the end of the last match in the second half of a text, or -1. */
function lastMatchEnd(text: string, boundary: RegExp): number {
  const middle = Math.floor(text.length / 2);
  const last = [...text.slice(middle).matchAll(boundary)].at(-1);
  return last === undefined ? -1 : middle + last.index + last[0].length;
}
