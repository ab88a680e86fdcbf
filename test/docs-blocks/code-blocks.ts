/** A fenced block of a page. */
export interface CodeBlock {
  readonly page: string;
  /** The line of the page on which the block starts, from 1. */
  readonly line: number;
  /** The first word after the fence; empty when there is none. */
  readonly language: string;
  /** The other words after the fence. */
  readonly marks: readonly string[];
  readonly text: string;
}

/** The fenced blocks of a page, in their order. */
export function codeBlocks(page: string, markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open:
    | { readonly fence: string; readonly indent: number; readonly info: string; readonly line: number }
    | undefined;
  let lines: string[] = [];
  markdown.split("\n").forEach((text, index) => {
    const [, indent = "", fence = "", info = ""] = /^( *)(`{3,})(.*)$/.exec(text) ?? [];
    if (open === undefined) {
      if (fence !== "") open = { fence, indent: indent.length, info, line: index + 2 };
      lines = [];
    } else if (fence.length >= open.fence.length && info.trim() === "") {
      const [language = "", ...marks] = open.info.trim().split(/\s+/);
      blocks.push({ page, line: open.line, language, marks, text: `${lines.join("\n")}\n` });
      open = undefined;
    } else {
      lines.push(text.slice(Math.min(open.indent, text.length - text.trimStart().length)));
    }
  });
  if (open !== undefined) throw new Error(`${page}: the block that begins on line ${open.line} never ends`);
  return blocks;
}
